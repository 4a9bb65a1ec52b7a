import { useEffect, useRef } from "react";
import { nameOf, squareOf } from "../board/geometry";
import type { Team } from "../protocol";
import type { Played } from "../rules/rules";
import { text } from "../text/text";
import styles from "./moves.module.css";

interface Props {
  /** The side that moved first. */
  first: Team;
  steps: readonly Played[];
  /** How many actions lead to the position that is shown. */
  index: number;
  onIndex(index: number): void;
}

/** The actions of a game, two a row, and the way about them. */
export function MoveList({ first, steps, index, onIndex }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const offset = first === "black" ? 1 : 0;
  const rows = Array.from({ length: Math.ceil((steps.length + offset) / 2) }, (_, row) => row);

  useEffect(() => {
    const box = list.current;
    const current = box?.querySelector<HTMLElement>("[aria-current]");
    // Only the list scrolls, never the page.
    if (box && current) box.scrollTop = current.offsetTop - box.clientHeight / 2;
    else if (box) box.scrollTop = 0;
  }, [index, steps.length]);

  const move = (number: number) => {
    const step = steps[number];
    if (!step) return <span className={styles.gap}>{number < 0 ? "…" : ""}</span>;
    return (
      <button
        type="button"
        className={styles.move}
        data-boom={step.boom ? true : undefined}
        aria-current={number + 1 === index ? "step" : undefined}
        aria-label={`${step.text}: ${sentenceOf(step, teamOf(first, number))}`}
        onClick={() => onIndex(number + 1)}
      >
        {step.text}
      </button>
    );
  };
  const jumps = [
    { name: text.moves.first, path: "M6 5v14M19 5l-9 7 9 7z", to: 0, off: index === 0 },
    { name: text.moves.previous, path: "M16 5l-9 7 9 7z", to: index - 1, off: index === 0 },
    { name: text.moves.next, path: "M8 5l9 7-9 7z", to: index + 1, off: index === steps.length },
    { name: text.moves.last, path: "M18 5v14M5 5l9 7-9 7z", to: steps.length, off: index === steps.length },
  ];
  return (
    <section className={styles.moves} aria-label={text.moves.title}>
      {steps.length === 0 ? (
        <p className={styles.none}>{text.moves.none}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <ol ref={list} className={styles.list} tabIndex={0} aria-label={text.moves.title}>
          {rows.map((row) => (
            <li key={row} className={styles.row}>
              <span className={styles.number}>{row + 1}.</span>
              {move(row * 2 - offset)}
              {move(row * 2 + 1 - offset)}
            </li>
          ))}
        </ol>
      )}
      <div className={styles.jumps}>
        {jumps.map(({ name, path, to, off }) => (
          <button key={name} type="button" aria-label={name} disabled={off} onClick={() => onIndex(to)}>
            <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
              <path
                d={path}
                fill="currentColor"
                stroke="currentColor"
                strokeWidth="2"
                strokeLinejoin="round"
              />
            </svg>
          </button>
        ))}
      </div>
      <Announced first={first} steps={steps} />
    </section>
  );
}

/** Says each new action to a screen reader. */
function Announced({ first, steps }: Pick<Props, "first" | "steps">) {
  const latest = steps.slice(-ANNOUNCED);
  const offset = steps.length - latest.length;
  return (
    <div className="visually-hidden" role="log" aria-live="polite" aria-label={text.moves.title}>
      {latest.map((step, place) => (
        <p key={offset + place}>{sentenceOf(step, teamOf(first, offset + place))}</p>
      ))}
    </div>
  );
}

export function teamOf(first: Team, number: number): Team {
  return (number % 2 === 0) === (first === "white") ? "white" : "black";
}

export function sentenceOf({ action, boom }: Played, team: Team): string {
  const from = nameOf(squareOf(action.source));
  if (boom) return text.moves.boomed(team, from, boom.losses.white, boom.losses.black);
  return text.moves.moved(team, action.count, from, nameOf(squareOf(action.target!)));
}

const ANNOUNCED = 3;
