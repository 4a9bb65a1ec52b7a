// Made from the Rust types of web/rules-wasm. Do not edit; write it anew with `make wasm`.

import type { Action, State, Team } from "../../../server/protocol/bindings/protocol";

/**
 * A position and what the side to move may do.
 */
export type Described = { 
/**
 * The position.
 */
state: State, 
/**
 * How many bots each side has.
 */
bots: Bots, 
/**
 * Whether the game has ended.
 */
over: boolean, 
/**
 * Who won; `null` for a draw, and while the game goes on.
 */
winner: Team | null, 
/**
 * The stacks of the side to move, by square; none once the game has ended.
 */
stacks: Array<OwnStack>, };

/**
 * Bots of both sides.
 */
export type Bots = { 
/**
 * White's.
 */
white: number, 
/**
 * Black's.
 */
black: number, };

/**
 * A stack that may act.
 */
export type OwnStack = { 
/**
 * Where it stands.
 */
square: number, 
/**
 * How many bots it has; each count from 1 may go to each target.
 */
height: number, 
/**
 * Where its bots may go.
 */
targets: Array<number>, 
/**
 * What its boom would do.
 */
boom: Boom, };

/**
 * A boom.
 */
export type Boom = { 
/**
 * The stacks that go, wave by wave: the source, its neighbours, theirs, and so on.
 */
waves: Array<Array<number>>, 
/**
 * How many bots each side loses.
 */
losses: Bots, };

/**
 * A legal action and where it leads.
 */
export type Played = { 
/**
 * The action's text.
 */
text: string, 
/**
 * The action.
 */
action: Action, 
/**
 * The text of the position it leads to.
 */
position: string, 
/**
 * What exploded; `null` for a move.
 */
boom: Boom | null, };

/**
 * A game played over.
 */
export type Replayed = { 
/**
 * The text of the position it began with.
 */
start: string, 
/**
 * Its actions, in order.
 */
steps: Array<Played>, };
