import { useId } from "react";
import { text } from "../text/text";
import styles from "./forms.module.css";
import type { Settings } from "./settings";

interface Props {
  settings: Settings;
  onSettings(settings: Settings): void;
}

/** Side, start and clock of a game. */
export function SettingsFields({ settings, onSettings }: Props) {
  const group = useId();
  const choice = <Name extends "start" | "clock">(
    name: Name,
    caption: string,
    options: Record<string, string>,
  ) => (
    <label className={styles.field}>
      <span>{caption}</span>
      <select
        value={settings[name]}
        onChange={(event) => onSettings({ ...settings, [name]: event.target.value })}
      >
        {Object.entries(options).map(([value, shown]) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      <fieldset className={styles.sides}>
        <legend>{text.lobby.color}</legend>
        {(["random", "white", "black"] as const).map((color) => (
          <label key={color}>
            <input
              type="radio"
              name={group}
              checked={settings.color === color}
              onChange={() => onSettings({ ...settings, color })}
            />
            <span>{text.lobby.colors[color]}</span>
          </label>
        ))}
      </fieldset>
      <div className={styles.pair}>
        {choice("start", text.lobby.start, text.lobby.starts)}
        {choice("clock", text.lobby.clock, text.lobby.clocks)}
      </div>
    </>
  );
}
