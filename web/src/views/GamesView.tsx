import { useState } from "react";
import { Link } from "wouter";
import { get, useFetched } from "../parts/useFetched";
import type { FinishedGames, GameSummary } from "../protocol";
import { text } from "../text/text";
import styles from "./games.module.css";

/** Finished games, the latest first. */
export default function GamesView() {
  const first = useFetched<FinishedGames>("/api/games?limit=50");
  const [more, setMore] = useState<FinishedGames[]>([]);
  const pages = first.state === "here" ? [first.value, ...more] : [];
  const games = pages.flatMap((page) => page.games);
  const next = pages.at(-1)?.next ?? null;
  const showMore = async () => {
    const page = await get<FinishedGames>(`/api/games?limit=50&before=${next}`);
    if (page.state === "here") setMore([...more, page.value]);
  };
  return (
    <div className={styles.games}>
      <h1>{text.games.title}</h1>
      {first.state === "failed" && <p role="alert">{text.games.failed}</p>}
      {first.state === "here" && games.length === 0 && <p className="muted">{text.games.none}</p>}
      {games.length > 0 && (
        <div className={`panel ${styles.box}`}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{text.games.white}</th>
                <th scope="col">{text.games.black}</th>
                <th scope="col">{text.games.result}</th>
                <th scope="col" className={styles.extra}>
                  {text.games.moves}
                </th>
                <th scope="col" className={styles.extra}>
                  {text.games.when}
                </th>
                <th scope="col">
                  <span className="visually-hidden">{text.games.replay}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {games.map((game) => (
                <Row key={game.id} game={game} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {next !== null && (
        <button type="button" onClick={showMore}>
          {text.games.more}
        </button>
      )}
    </div>
  );
}

function Row({ game }: { game: GameSummary }) {
  const { id, white, black, winner, reason, actions, endedAt } = game;
  return (
    <tr>
      <td data-won={winner === "white" || undefined}>{white}</td>
      <td data-won={winner === "black" || undefined}>{black}</td>
      <td>{text.game.result(winner, reason)}</td>
      <td className={styles.extra}>{actions}</td>
      <td className={styles.extra}>{new Date(endedAt * 1000).toLocaleString()}</td>
      <td className={styles.open}>
        <Link
          href={`/games/${id}`}
          className="button"
          aria-label={`${text.games.replay} ${text.game.title(white, black)}`}
        >
          {text.games.replay}
        </Link>
      </td>
    </tr>
  );
}
