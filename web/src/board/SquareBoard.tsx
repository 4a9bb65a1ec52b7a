import { type KeyboardEvent, useRef, useState } from "react";
import type { Stack } from "../protocol";
import styles from "./board.module.css";
import { Cell } from "./Cell";
import { Effects } from "./Effects";
import type { Effect } from "./effect";
import { cornerOf, neighbour, pointOf, SIDE, SQUARES, UNIT } from "./geometry";
import { Hint } from "./Hint";
import { Robot } from "./Robot";
import { useDrag } from "./useDrag";
import { useWheel } from "./useWheel";

export interface BoardProps {
  /** The name of the board for screen readers. */
  label: string;
  stacks: readonly (Stack | null)[];
  flipped: boolean;
  /** What a screen reader says of a square. */
  describe(square: number): string;
  /** Squares that can be picked up. */
  movable: ReadonlySet<number>;
  targets: ReadonlySet<number>;
  selected: number | null;
  /** How many bots of the selected stack would go. */
  lifted: number;
  /** Squares that would go up, with the number of their wave. */
  doomed: ReadonlyMap<number, number>;
  /** The squares of the last action. */
  last: readonly number[];
  /** An action that is pointed out. */
  hint: { from: number; to: number } | null;
  effect: Effect | null;
  /** Whether a touch belongs to the board and does not scroll the page. */
  grabs: boolean;
  onPick(square: number): void;
  /** A square is chosen by a key. */
  onConfirm(square: number): void;
  onDrop(from: number, to: number): void;
  onCancel(): void;
  /** Turns of the wheel over the board; without it they scroll the page. */
  onWheel: ((steps: number) => void) | null;
}

/** A board of squares: it knows where things are, and nothing of what they may do. */
export function SquareBoard(props: BoardProps) {
  const { stacks, flipped, effect } = props;
  const svg = useRef<SVGSVGElement>(null);
  const [cursor, setCursor] = useState(0);
  const drag = useDrag(svg, props);
  useWheel(svg, props.onWheel);

  const onKeyDown = (event: KeyboardEvent) => {
    const square = neighbour(cursor, event.key, flipped);
    if (event.key.startsWith("Arrow")) {
      setCursor(square);
      svg.current?.querySelector<SVGGElement>(`[data-square="${square}"]`)?.focus();
    } else if (event.key === "Enter" || event.key === " ") props.onConfirm(cursor);
    else if (event.key === "Escape") props.onCancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const cell = (square: number) => (
    <Cell
      key={square}
      square={square}
      corner={cornerOf(square, flipped)}
      stack={shown(square, stacks, effect)}
      label={props.describe(square)}
      isCursor={square === cursor}
      isMovable={props.movable.has(square)}
      isTarget={props.targets.has(square)}
      isOver={drag.over === square && props.targets.has(square)}
      isSelected={props.selected === square}
      isLast={props.last.includes(square)}
      isCarried={drag.carried?.from === square}
      lifted={props.selected === square ? props.lifted : 0}
      wave={props.doomed.get(square)}
      onFocus={setCursor}
    />
  );
  const rows = Array.from({ length: SIDE }, (_, row) => (flipped ? row : SIDE - 1 - row));
  const columns = (row: number) => {
    const squares = SQUARES.slice(row * SIDE, (row + 1) * SIDE);
    return flipped ? squares.reverse() : squares;
  };
  const carriedStack = drag.carried && stacks[drag.carried.from];

  return (
    <svg
      ref={svg}
      className={styles.board}
      data-grabs={props.grabs || undefined}
      viewBox={`0 0 ${SIDE * UNIT} ${SIDE * UNIT}`}
      role="grid"
      aria-label={props.label}
      onKeyDown={onKeyDown}
      {...drag.handlers}
    >
      {rows.map((row) => (
        <g key={row} role="row">
          {columns(row).map(cell)}
        </g>
      ))}
      <g aria-hidden="true" className={styles.over}>
        {SQUARES.filter((square) => isEdge(square, flipped)).map((square) => (
          <Coordinates key={square} square={square} flipped={flipped} />
        ))}
        {effect && <Effects key={effect.key} effect={effect} flipped={flipped} />}
        {props.hint && <Hint {...props.hint} flipped={flipped} />}
        {drag.carried && carriedStack && (
          <g transform={`translate(${drag.carried.x - UNIT / 2} ${drag.carried.y - UNIT / 2})`}>
            <Robot team={carriedStack.team} stack={Math.max(1, props.lifted)} />
          </g>
        )}
      </g>
    </svg>
  );
}

/** What stands on a square while something is seen to happen. */
function shown(square: number, stacks: readonly (Stack | null)[], effect: Effect | null): Stack | null {
  if (effect?.kind === "move" && effect.to === square) return effect.before;
  return stacks[square] ?? null;
}

function isEdge(square: number, flipped: boolean): boolean {
  const { x, y } = pointOf(square);
  const edge = flipped ? SIDE - 1 : 0;
  return x === edge || y === edge;
}

function Coordinates({ square, flipped }: { square: number; flipped: boolean }) {
  const { x, y } = pointOf(square);
  const corner = cornerOf(square, flipped);
  const edge = flipped ? SIDE - 1 : 0;
  return (
    <g
      className={(x + y) % 2 ? styles.onLight : styles.onDark}
      transform={`translate(${corner.x} ${corner.y})`}
    >
      {x === edge && (
        <text x="5" y="19">
          {y + 1}
        </text>
      )}
      {y === edge && (
        <text x="94" y="95" textAnchor="end">
          {"abcdefgh"[x]}
        </text>
      )}
    </g>
  );
}
