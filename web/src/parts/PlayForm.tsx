import { type FormEvent, useState } from "react";
import { send } from "../state/client";
import { text } from "../text/text";
import styles from "./forms.module.css";
import { SettingsFields } from "./SettingsFields";
import { type Settings, settingsMessage, USUAL } from "./settings";

/** A game against the bot. */
export function PlayForm({ levels }: { levels: number }) {
  const [level, setLevel] = useState(Math.min(4, levels));
  const [settings, setSettings] = useState<Settings>({ ...USUAL, color: "white" });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send({ type: "startBotGame", level, ...settingsMessage(settings) });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <h2 id="play-bot">{text.lobby.playBot}</h2>
      <label className={styles.level}>
        <span>
          {text.lobby.level} <output>{level}</output> · {text.lobby.levelHint(level, levels)}
        </span>
        <input
          type="range"
          min={1}
          max={levels}
          value={level}
          onChange={(event) => setLevel(Number(event.target.value))}
        />
      </label>
      <SettingsFields settings={settings} onSettings={setSettings} />
      <button type="submit" className="primary">
        {text.lobby.play}
      </button>
    </form>
  );
}
