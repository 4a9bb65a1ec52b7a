import { Link } from "wouter";
import { LiveGames } from "../parts/LiveGames";
import { PlayerList } from "../parts/PlayerList";
import { PlayForm } from "../parts/PlayForm";
import { send } from "../state/client";
import { sideOf } from "../state/room";
import { useApp } from "../state/store";
import { text } from "../text/text";
import styles from "./lobby.module.css";

/** Who is there, and what can be played and watched. */
export function LobbyView() {
  const lobby = useApp((state) => state.lobby);
  const me = useApp((state) => state.me);
  const rooms = useApp((state) => state.rooms);
  if (!lobby || !me) return null;
  const mine = Object.values(rooms).find((room) => sideOf(room.game, me.id) && !room.game.result);
  return (
    <div className={styles.lobby}>
      <h1 className="visually-hidden">{text.lobby.title}</h1>
      {mine && (
        <p className={styles.resume}>
          <strong>{text.lobby.resume}</strong>
          <Link href={`/game/${mine.game.id}`} className="button primary">
            {text.lobby.back}
          </Link>
        </p>
      )}
      <div className={styles.column}>
        <section className={styles.card} aria-labelledby="play-bot">
          <PlayForm levels={lobby.bots.levels} />
        </section>
        <section className={styles.card} aria-labelledby="bot-match">
          <h2 id="bot-match">{text.lobby.botMatch}</h2>
          <p className="muted">{text.lobby.botMatchHint}</p>
          <button type="button" onClick={() => send({ type: "startBotMatch" })}>
            {text.lobby.startMatch}
          </button>
          <p className={styles.fine}>
            {text.lobby.tables(lobby.tables.ready.length, lobby.tables.building)}
            {" · "}
            {text.lobby.botsBusy(lobby.bots.thinking, lobby.bots.queued)}
          </p>
          {lobby.tables.problems.map((problem) => (
            <p key={problem} className={styles.fine}>
              {problem}
            </p>
          ))}
        </section>
      </div>
      <div className={styles.column}>
        <section className={styles.card} aria-labelledby="players">
          <PlayerList lobby={lobby} me={me.id} />
        </section>
        <section className={styles.card} aria-labelledby="live">
          <LiveGames games={lobby.games} count={lobby.gameCount} />
        </section>
      </div>
    </div>
  );
}
