import { useState } from "react";
import { nameOf } from "../board/geometry";
import { SquareBoard } from "../board/SquareBoard";
import forms from "../parts/forms.module.css";
import type { Stack, State } from "../protocol";
import { type Described, rules } from "../rules/rules";
import { text } from "../text/text";
import styles from "./play.module.css";

type Tool = "white" | "black" | "remove";

interface Props {
  described: Described;
  flipped: boolean;
  onPosition(position: string): void;
}

/** A board on which bots are put down and taken away. What would be no position is refused. */
export function EditorBoard({ described, flipped, onPosition }: Props) {
  const [tool, setTool] = useState<Tool>("white");
  const [problem, setProblem] = useState("");
  const { turn, board } = described.state;
  const place = (state: Pick<State, "turn" | "board">) => {
    const answer = rules().place(state);
    setProblem(answer.error ?? "");
    if (answer.ok) onPosition(answer.ok.state.position);
  };
  const pick = (square: number) =>
    place({ turn, board: board.map((stack, at) => (at === square ? changed(stack, tool) : stack)) });
  const describe = (square: number) => {
    const stack = board[square];
    const name = nameOf(square);
    return stack ? text.square.stack(name, stack.team, stack.stack) : text.square.empty(name);
  };
  return (
    <div className={styles.play}>
      <SquareBoard
        label={text.analysis.edit}
        stacks={board}
        flipped={flipped}
        describe={describe}
        movable={NONE}
        targets={NONE}
        selected={null}
        lifted={0}
        doomed={NOT_DOOMED}
        last={NOWHERE}
        hint={null}
        effect={null}
        grabs={false}
        onPick={pick}
        onConfirm={pick}
        onDrop={() => {}}
        onCancel={() => {}}
        onWheel={null}
      />
      <div className={styles.editor}>
        <Choice
          legend={text.analysis.tool}
          options={text.analysis.tools}
          chosen={tool}
          onChoose={(chosen) => setTool(chosen as Tool)}
        />
        <Choice
          legend={text.analysis.toMove}
          options={text.side}
          chosen={turn}
          onChoose={(chosen) => place({ turn: chosen as "white" | "black", board })}
        />
        <p className={problem ? "danger" : "muted"} role="status">
          {problem || text.analysis.editHint}
        </p>
      </div>
    </div>
  );
}

interface ChoiceProps {
  legend: string;
  options: Record<string, string>;
  chosen: string;
  onChoose(value: string): void;
}

function Choice({ legend, options, chosen, onChoose }: ChoiceProps) {
  return (
    <fieldset className={forms.sides}>
      <legend>{legend}</legend>
      {Object.entries(options).map(([value, shown]) => (
        <label key={value}>
          <input type="radio" name={legend} checked={chosen === value} onChange={() => onChoose(value)} />
          <span>{shown}</span>
        </label>
      ))}
    </fieldset>
  );
}

function changed(stack: Stack | null, tool: Tool): Stack | null {
  if (tool === "remove") return stack && stack.stack > 1 ? { ...stack, stack: stack.stack - 1 } : null;
  return { team: tool, stack: stack?.team === tool ? stack.stack + 1 : 1 };
}

const NONE: ReadonlySet<number> = new Set();
const NOT_DOOMED: ReadonlyMap<number, number> = new Map();
const NOWHERE: readonly number[] = [];
