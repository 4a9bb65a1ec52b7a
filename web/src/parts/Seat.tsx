import type { Team } from "../protocol";
import type { Room } from "../state/model";
import { timeLeft } from "../state/room";
import { text } from "../text/text";
import { PlayerBar } from "./PlayerBar";
import { useNow } from "./useNow";

interface Props {
  room: Room;
  team: Team;
  bots: number;
  isToMove: boolean;
}

/** A player of a room: the clock, and what is known of the player. */
export function Seat({ room, team, bots, isToMove }: Props) {
  const player = room.game.players[team];
  const thinks = room.thinking?.team === team ? room.thinking : null;
  const away = room.away[team];
  const isTicking = room.game.clocks?.running === team || thinks !== null || away !== undefined;
  const now = useNow(isTicking ? TICK_MS : null);
  const seconds = (until: number) => Math.max(0, Math.ceil((until - now) / 1000));
  const details = [
    player.bot && text.game.bot(player.bot.level, player.bot.tables),
    thinks && text.game.thinking(seconds(thinks.until)),
    room.queued?.team === team && text.game.queued(room.queued.ahead),
    away === null && text.game.away,
    typeof away === "number" && text.game.awayFor(seconds(away)),
  ];
  return (
    <PlayerBar
      name={player.name}
      team={team}
      detail={details.filter(Boolean).join(" · ")}
      bots={bots}
      isToMove={isToMove}
      clockMs={timeLeft(room, team, now)}
    />
  );
}

const TICK_MS = 200;
