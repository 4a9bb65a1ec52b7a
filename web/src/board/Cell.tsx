import { memo } from "react";
import type { Stack } from "../protocol";
import styles from "./board.module.css";
import { nameOf, pointOf, type Spot, UNIT } from "./geometry";
import { Robot } from "./Robot";

interface Props {
  square: number;
  corner: Spot;
  stack: Stack | null;
  label: string;
  isCursor: boolean;
  isMovable: boolean;
  isTarget: boolean;
  isOver: boolean;
  isSelected: boolean;
  isLast: boolean;
  isCarried: boolean;
  lifted: number;
  wave: number | undefined;
  onFocus(square: number): void;
}

/** A square and what stands on it. Every mark has a shape of its own beside its colour. */
export const Cell = memo(function Cell(props: Props) {
  const { square, corner, stack } = props;
  const { x, y } = pointOf(square);
  // What is carried is drawn at the pointer; what stays behind is drawn here.
  const staying = stack && props.isCarried ? stack.stack - props.lifted : stack?.stack;
  return (
    <g
      role="gridcell"
      data-square={square}
      data-name={nameOf(square)}
      aria-label={props.label}
      aria-selected={props.isSelected}
      tabIndex={props.isCursor ? 0 : -1}
      className={props.isMovable || props.isTarget ? styles.live : styles.cell}
      transform={`translate(${corner.x} ${corner.y})`}
      onFocus={() => props.onFocus(square)}
    >
      <rect className={(x + y) % 2 ? styles.light : styles.dark} width={UNIT} height={UNIT} />
      {props.isLast && <path className={styles.last} d="M3 26V3h23M74 3h23v23M97 74v23H74M26 97H3V74" />}
      {props.isSelected && <rect className={styles.selected} x="3" y="3" width="94" height="94" rx="10" />}
      {props.isOver && <rect className={styles.hovered} width={UNIT} height={UNIT} />}
      {stack && staying ? (
        <Robot team={stack.team} stack={staying} lifted={props.isCarried ? 0 : props.lifted} />
      ) : null}
      {props.isTarget &&
        (stack ? (
          <circle className={styles.joining} cx="50" cy="50" r="45" />
        ) : (
          <circle className={styles.target} cx="50" cy="50" r="14" />
        ))}
      {props.wave !== undefined && (
        <g className={styles.doomed}>
          <rect x="4" y="4" width="92" height="92" rx="10" />
          <path d="M14 14l14 14M28 14L14 28" />
        </g>
      )}
      <rect className={styles.focus} x="2.5" y="2.5" width="95" height="95" rx="6" />
    </g>
  );
});
