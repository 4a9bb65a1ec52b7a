import { Link } from "wouter";
import type { LiveGame } from "../protocol";
import { text } from "../text/text";
import styles from "./forms.module.css";

/** Games that can be watched. */
export function LiveGames({ games, count }: { games: readonly LiveGame[]; count: number }) {
  return (
    <>
      <div className={styles.heading}>
        <h2 id="live">{text.lobby.live}</h2>
        <span className="muted">{count}</span>
      </div>
      {games.length === 0 && <p className="muted">{text.lobby.noLive}</p>}
      <ul className={styles.list} aria-labelledby="live">
        {games.map(({ id, players }) => {
          const title = text.game.title(players.white.name, players.black.name);
          return (
            <li key={id} className={styles.item}>
              <span>{title}</span>
              <Link href={`/game/${id}`} className="button" aria-label={`${text.lobby.watch} ${title}`}>
                {text.lobby.watch}
              </Link>
            </li>
          );
        })}
      </ul>
      {count > games.length && <p className="muted">{text.lobby.more(count - games.length)}</p>}
    </>
  );
}
