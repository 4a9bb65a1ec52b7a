import { type FormEvent, useState } from "react";
import { rules } from "../rules/rules";
import { text } from "../text/text";
import styles from "./position.module.css";
import side from "./side.module.css";
import { useCopied } from "./useCopyPosition";

interface Props {
  position: string;
  problem: string | null;
  isEditing: boolean;
  onEdit(isEditing: boolean): void;
  onFlip(): void;
  onPosition(position: string): void;
}

/** The position as text, which can be changed, copied, and set up on the board. */
export function PositionBar({ position, problem, isEditing, onEdit, onFlip, onPosition }: Props) {
  const [typed, setTyped] = useState(position);
  const [refusal, setRefusal] = useState(problem);
  const [isCopied, copy] = useCopied();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const answer = rules().describe(typed.trim());
    setRefusal(answer.error ?? null);
    if (answer.ok) onPosition(answer.ok.state.position);
  };
  return (
    <div className={side.padded}>
      <form className={styles.form} onSubmit={submit}>
        <label htmlFor="position">{text.analysis.position}</label>
        <input
          id="position"
          value={typed}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={refusal !== null}
          aria-describedby={refusal ? "position-problem" : undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button type="submit" disabled={typed === position}>
          {text.analysis.apply}
        </button>
      </form>
      {refusal && (
        <p id="position-problem" role="alert" className="danger">
          {refusal}
        </p>
      )}
      <div className={side.buttons}>
        <button type="button" aria-pressed={isEditing} onClick={() => onEdit(!isEditing)}>
          {isEditing ? text.analysis.done : text.analysis.edit}
        </button>
        {isEditing ? (
          <>
            <button type="button" onClick={() => onPosition("8/8/8/8/8/8/8/8 w")}>
              {text.analysis.clear}
            </button>
            <button type="button" onClick={() => onPosition("standard")}>
              {text.lobby.start}
            </button>
          </>
        ) : (
          <>
            <button type="button" onClick={() => copy(position)}>
              {isCopied ? text.game.copied : text.analysis.copy}
            </button>
            <button type="button" onClick={onFlip}>
              {text.game.flip}
            </button>
          </>
        )}
      </div>
    </div>
  );
}
