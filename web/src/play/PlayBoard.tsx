import { useCallback, useMemo } from "react";
import type { Effect } from "../board/effect";
import { nameOf, squareOf } from "../board/geometry";
import { SquareBoard } from "../board/SquareBoard";
import type { Action } from "../protocol";
import type { Described, Played } from "../rules/rules";
import { text } from "../text/text";
import { ActionBar } from "./ActionBar";
import styles from "./play.module.css";
import { doomedBy, stackAt } from "./selection";
import { useKeys } from "./useKeys";
import { usePlay } from "./usePlay";

interface Props {
  described: Described;
  flipped: boolean;
  isEnabled: boolean;
  /** Whether nothing will ever be chosen here. */
  isReadOnly: boolean;
  /** The action that led here. */
  last: Played | null;
  effect: Effect | null;
  /** An action that is pointed out. */
  hint: Action | null;
  /** What is said while nothing is selected. */
  status: string;
  onAction(action: Action): void;
}

/** A board on which legal actions can be chosen: by click, by drag, by touch and by keys. */
export function PlayBoard(props: Props) {
  const { described, isEnabled, last, hint } = props;
  const play = usePlay(described, isEnabled, props.onAction);
  const { selection } = play;
  const selected = selection ? stackAt(described, selection.source) : undefined;
  const board = described.state.board;

  const movable = useMemo(
    () => new Set(isEnabled ? described.stacks.map((stack) => stack.square) : []),
    [described, isEnabled],
  );
  const targets = useMemo(() => new Set(selected?.targets), [selected]);
  const hinted = hint && hint.count === 0 ? squareOf(hint.source) : null;
  const boomed = selection?.isArmed ? selection.source : hinted;
  const doomed = useMemo(
    () => (boomed === null ? NOTHING_DOOMED : doomedBy(described, boomed)),
    [described, boomed],
  );
  const lastSquares = useMemo(() => squaresOf(last), [last]);
  const describe = useCallback(
    (square: number) => {
      const stack = board[square];
      const name = nameOf(square);
      const what = stack ? text.square.stack(name, stack.team, stack.stack) : text.square.empty(name);
      const marks = [targets.has(square) && text.square.target, doomed.has(square) && text.square.doomed];
      return [what, ...marks.filter(Boolean)].join(", ");
    },
    [board, targets, doomed],
  );

  const counts = Array.from({ length: 9 }, (_, digit) => digit + 1);
  const byDigit = Object.fromEntries(counts.map((count) => [String(count), () => play.count(count)]));
  const step = (by: number) => selection && play.count(selection.count + by);
  const keys: Record<string, () => void> = selection
    ? {
        ...byDigit,
        "+": () => step(1),
        "-": () => step(-1),
        b: () => play.arm(!selection.isArmed),
        Escape: play.cancel,
        ...(selection.isArmed ? { Enter: play.boom } : {}),
      }
    : {};
  useKeys(keys);

  return (
    <div className={styles.play}>
      <SquareBoard
        label={text.game.board(described.state.turn)}
        stacks={board}
        flipped={props.flipped}
        describe={describe}
        movable={movable}
        targets={targets}
        selected={selection?.source ?? null}
        lifted={selection && !selection.isArmed ? selection.count : 0}
        doomed={doomed}
        last={lastSquares}
        hint={hint ? { from: squareOf(hint.source), to: squareOf(hint.target ?? hint.source) } : null}
        effect={props.effect}
        grabs={isEnabled}
        onPick={play.pick}
        // What is armed explodes wherever the cursor is; a press elsewhere never does that.
        onConfirm={(square) => (selection?.isArmed ? play.boom() : play.pick(square))}
        onDrop={play.drop}
        onCancel={play.cancel}
        onWheel={selected && selected.height > 1 ? step : null}
      />
      {!props.isReadOnly && (
        <ActionBar described={described} play={play} isEnabled={isEnabled} status={props.status} />
      )}
    </div>
  );
}

function squaresOf(played: Played | null): number[] {
  if (!played) return [];
  if (played.boom) return played.boom.waves.flat();
  return [squareOf(played.action.source), squareOf(played.action.target!)];
}

const NOTHING_DOOMED: ReadonlyMap<number, number> = new Map();
