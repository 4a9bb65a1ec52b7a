import type { Team } from "../protocol";
import { clockText, text } from "../text/text";
import styles from "./player.module.css";

interface Props {
  name: string;
  team: Team;
  /** What stands small beside the name. */
  detail: string;
  bots: number;
  isToMove: boolean;
  clockMs: number | null;
}

/** A player above or below the board. */
export function PlayerBar({ name, team, detail, bots, isToMove, clockMs }: Props) {
  return (
    <div className={styles.player} data-turn={isToMove || undefined}>
      <Token team={team} />
      <span className={styles.name}>{name}</span>
      <span className={styles.detail}>{detail}</span>
      <span className={styles.bots} title={text.game.botsLeft(bots)}>
        <span aria-hidden="true">{bots}</span>
        <span className="visually-hidden">{text.game.botsLeft(bots)}</span>
      </span>
      {clockMs !== null && (
        <span className={styles.clock} role="timer" aria-label={text.side[team]}>
          {clockText(clockMs)}
        </span>
      )}
    </div>
  );
}

/** A side's sign: round for White, angular for Black. */
export function Token({ team }: { team: Team }) {
  return (
    <svg className={styles.token} viewBox="0 0 24 24" role="img" aria-label={text.side[team]}>
      {team === "white" ? (
        <path className={styles.white} d="M3 20v-7a9 8.500 0 0 1 18 0v7z" />
      ) : (
        <path className={styles.black} d="M3 20V9l2-6 4 3h6l4-3 2 6v11z" />
      )}
    </svg>
  );
}
