import { useState } from "react";
import type { Challenge, Lobby } from "../protocol";
import { send } from "../state/client";
import { text } from "../text/text";
import styles from "./forms.module.css";
import { SettingsFields } from "./SettingsFields";
import { type Settings, settingsMessage, USUAL } from "./settings";

/** Challenges of and to us, and whom we can challenge. */
export function PlayerList({ lobby, me }: { lobby: Lobby; me: number }) {
  const [settings, setSettings] = useState<Settings>(USUAL);
  const others = lobby.users.filter((user) => user.id !== me);
  const received = lobby.challenges.filter((challenge) => challenge.targetId === me);
  const sentTo = new Map(
    lobby.challenges.filter((one) => one.challengerId === me).map((one) => [one.targetId, one]),
  );
  return (
    <>
      <div className={styles.heading}>
        <h2 id="players">{text.lobby.players}</h2>
        <span className="muted">{lobby.users.length}</span>
      </div>
      {received.length > 0 && (
        <ul className={styles.list} aria-label={text.lobby.challenges}>
          {received.map((challenge) => (
            <Received key={challenge.id} challenge={challenge} />
          ))}
        </ul>
      )}
      {others.length === 0 ? (
        <p className="muted">{text.lobby.alone}</p>
      ) : (
        <>
          <details className={styles.settings}>
            <summary>{text.lobby.options}</summary>
            <div className={styles.form}>
              <SettingsFields settings={settings} onSettings={setSettings} />
            </div>
          </details>
          <ul className={styles.list} aria-labelledby="players">
            {others.map((user) => {
              const sent = sentTo.get(user.id);
              return (
                <li key={user.id} className={styles.item}>
                  <span>
                    {user.name}
                    {user.playing !== undefined && <small>{text.lobby.playing}</small>}
                    {sent && <small>{text.lobby.challenged(user.name)}</small>}
                  </span>
                  {sent ? (
                    <button
                      type="button"
                      onClick={() => send({ type: "cancelChallenge", challengeId: sent.id })}
                    >
                      {text.lobby.cancel}
                    </button>
                  ) : (
                    user.playing === undefined && (
                      <button
                        type="button"
                        aria-label={`${text.lobby.challenge} ${user.name}`}
                        onClick={() =>
                          send({ type: "sendChallenge", targetId: user.id, ...settingsMessage(settings) })
                        }
                      >
                        {text.lobby.challenge}
                      </button>
                    )
                  )}
                </li>
              );
            })}
          </ul>
        </>
      )}
    </>
  );
}

function Received({ challenge }: { challenge: Challenge }) {
  const { id, challengerName, color, clock, rematchOf } = challenge;
  const start = text.lobby.starts[challenge.start as keyof typeof text.lobby.starts] ?? challenge.start;
  const time = clock ? `${clock.initialMs / 60_000} + ${clock.incrementMs / 1000}` : text.lobby.clocks.none;
  return (
    <li className={styles.item}>
      <span>
        <strong>
          {rematchOf === undefined
            ? text.lobby.challengeFrom(challengerName)
            : text.lobby.rematchFrom(challengerName)}
        </strong>
        <small>{[start, time, text.lobby.asSide[color]].join(" · ")}</small>
      </span>
      <button
        type="button"
        className="primary"
        onClick={() => send({ type: "acceptChallenge", challengeId: id })}
      >
        {text.lobby.accept}
      </button>
      <button type="button" onClick={() => send({ type: "declineChallenge", challengeId: id })}>
        {text.lobby.decline}
      </button>
    </li>
  );
}
