// Made from the Rust types of server/protocol. Do not edit; write it anew with
//   BOOMBOTS_UPDATE=1 cargo test -p boombots-protocol typescript

/**
 * A message from a client. The first one on a connection is the handshake.
 *
 * Where `gameId` may be left out, the game that the sender plays is meant, or else the one
 * watched or played last.
 */
export type ClientMessage = { "type": "handshake", 
/**
 * The name to be known by; see the rules for names. With a resume token that is still
 * good the old name stays.
 */
name: string, 
/**
 * The token of an earlier welcome, to go on as the same user.
 */
resumeToken?: string, 
/**
 * The client's protocol version, refused if it is not the server's.
 */
protocolVersion?: number, } | { "type": "sendChallenge", 
/**
 * The user.
 */
targetId: number, 
/**
 * The game, `boombots` if it is not named.
 */
game?: string, 
/**
 * The name of a start, or a position as text.
 */
start?: string, 
/**
 * The clock; none if it is left out.
 */
clock?: ClockSettings, 
/**
 * The side the sender would like, by lot if it is left out.
 */
color?: ColorChoice, } | { "type": "acceptChallenge", 
/**
 * The challenge.
 */
challengeId: number, } | { "type": "declineChallenge", 
/**
 * The challenge.
 */
challengeId: number, } | { "type": "cancelChallenge", 
/**
 * The challenge.
 */
challengeId: number, } | { "type": "gameAction", 
/**
 * The turn.
 */
action: Action, 
/**
 * The game.
 */
gameId?: number, 
/**
 * The revision the action answers; any other than the current one is stale.
 */
revision?: number, 
/**
 * A name for the action, at most 64 bytes: sent again under the same name it is applied
 * once.
 */
actionId?: string, } | { "type": "startBotMatch", 
/**
 * The game.
 */
game?: string, 
/**
 * The name of a start, or a position as text.
 */
start?: string, } | { "type": "startBotGame", 
/**
 * The sender's side, by lot if it is left out.
 */
color?: ColorChoice, 
/**
 * The bot's level, 1 to 10; 10 if it is left out.
 */
level?: number, 
/**
 * The game.
 */
game?: string, 
/**
 * The name of a start, or a position as text.
 */
start?: string, 
/**
 * The clock; none if it is left out.
 */
clock?: ClockSettings, } | { "type": "spectate", 
/**
 * The game.
 */
gameId: number, } | { "type": "leaveGame", 
/**
 * The game.
 */
gameId?: number, } | { "type": "resign", 
/**
 * The game.
 */
gameId?: number, } | { "type": "offerDraw", 
/**
 * The game.
 */
gameId?: number, } | { "type": "acceptDraw", 
/**
 * The game.
 */
gameId?: number, } | { "type": "declineDraw", 
/**
 * The game.
 */
gameId?: number, } | { "type": "rematch", 
/**
 * The game.
 */
gameId?: number, } | { "type": "analyze", 
/**
 * The position as text.
 */
position: string, 
/**
 * The game.
 */
game?: string, 
/**
 * How many actions to rate, 1 to 10; 3 if it is left out.
 */
lines?: number, 
/**
 * Milliseconds to think, at most 10 000; 2 000 if it is left out.
 */
budgetMs?: number, } | { "type": "deepAnalyze", 
/**
 * The position as text.
 */
position: string, 
/**
 * The game.
 */
game?: string, } | { "type": "endDeepAnalysis" } | { "type": "ping", 
/**
 * Comes back with the `pong`.
 */
nonce?: number, };

/**
 * A message from the server.
 */
export type ServerMessage = { "type": "welcome" } & Welcome | { "type": "lobby" } & Lobby | { "type": "challengeEnded", 
/**
 * The challenge.
 */
challengeId: number, 
/**
 * `declined`, `cancelled` or `playing` (one of both plays somebody else now).
 */
reason: string, } | { "type": "game" } & Game | { "type": "botThinking", 
/**
 * The game.
 */
gameId: number, 
/**
 * The bot's side.
 */
team: Team, 
/**
 * Milliseconds it may take.
 */
budgetMs: number, } | { "type": "botQueued", 
/**
 * The game.
 */
gameId: number, 
/**
 * The bot's side.
 */
team: Team, 
/**
 * How many searches come first.
 */
ahead: number, } | { "type": "drawOffer", 
/**
 * The game.
 */
gameId: number, 
/**
 * Whose offer stands; `null` if none does.
 */
team: Team | null, } | { "type": "presence", 
/**
 * The game.
 */
gameId: number, 
/**
 * The player's side.
 */
team: Team, 
/**
 * Whether the player is there.
 */
connected: boolean, 
/**
 * Milliseconds after which the absent player loses the game.
 */
graceMs?: number, } | { "type": "leftGame", 
/**
 * The game.
 */
gameId: number, } | { "type": "analysis" } & Analysis | { "type": "deepAnalysis" } & DeepAnalysis | { "type": "error" } & Problem | { "type": "builds" } & Builds | { "type": "pong", 
/**
 * What came with the `ping`.
 */
nonce?: number, };

/**
 * Who the receiver is, and where.
 */
export type Welcome = { 
/**
 * The receiver's number.
 */
id: number, 
/**
 * The receiver's name, as others see it.
 */
name: string, 
/**
 * The secret with which another connection goes on as the same user.
 */
resumeToken: string, 
/**
 * Whether a resume token was good, and an earlier session goes on.
 */
resumed: boolean, 
/**
 * The protocol's version.
 */
protocolVersion: number, 
/**
 * The server's version.
 */
serverVersion: string, 
/**
 * Table classes that answer, smallest first.
 */
tableClasses: Array<string>, 
/**
 * The game the receiver plays; its state follows.
 */
playing: number | null, };

/**
 * Something was refused.
 */
export type Problem = { 
/**
 * Why, for programs.
 */
code: ErrorCode, 
/**
 * Why, for people.
 */
message: string, 
/**
 * The game it is about.
 */
gameId?: number, 
/**
 * The name of the action that was refused.
 */
actionId?: string, 
/**
 * The current revision, when an action was refused.
 */
revision?: number, 
/**
 * The current position, when an action was refused.
 */
state?: State, };

/**
 * Why something was refused. The codes are stable; the message beside one is for people.
 */
export type ErrorCode = "badMessage" | "handshakeRequired" | "alreadyConnected" | "unsupportedVersion" | "nameInvalid" | "nameTaken" | "serverFull" | "rateLimited" | "unknownUser" | "unknownChallenge" | "unknownGame" | "notYourChallenge" | "alreadyPlaying" | "unsupportedGame" | "badStart" | "notAPlayer" | "notYourTurn" | "staleAction" | "illegalAction" | "gameOver" | "noDrawOffer" | "notPossible" | "busy";

/**
 * Who and what is there.
 */
export type Lobby = { 
/**
 * Users that are connected, by id.
 */
users: Array<User>, 
/**
 * Open challenges of and to the receiver, by id.
 */
challenges: Array<Challenge>, 
/**
 * Games that go on, the latest first, at most 100.
 */
games: Array<LiveGame>, 
/**
 * How many games go on.
 */
gameCount: number, 
/**
 * The bots.
 */
bots: LobbyBots, 
/**
 * The tables.
 */
tables: LobbyTables, };

/**
 * A user.
 */
export type User = { 
/**
 * The user's number.
 */
id: number, 
/**
 * The user's name.
 */
name: string, 
/**
 * The game the user plays.
 */
playing?: number, };

/**
 * A challenge.
 */
export type Challenge = { 
/**
 * The challenge's number.
 */
id: number, 
/**
 * Who asks.
 */
challengerId: number, 
/**
 * The name of who asks.
 */
challengerName: string, 
/**
 * Who is asked.
 */
targetId: number, 
/**
 * Which game.
 */
game: string, 
/**
 * The name of the start, or a position.
 */
start: string, 
/**
 * The clock.
 */
clock: ClockSettings | null, 
/**
 * The side the challenger would like.
 */
color: ColorChoice, 
/**
 * The game of which this would be the rematch.
 */
rematchOf?: number, };

/**
 * A game that can be watched.
 */
export type LiveGame = { 
/**
 * The game's number.
 */
id: number, 
/**
 * Which game it is.
 */
game: string, 
/**
 * Who plays.
 */
players: Players, };

/**
 * What bots there are, and how busy.
 */
export type LobbyBots = { 
/**
 * The highest level, full strength; the lowest is 1.
 */
levels: number, 
/**
 * How many searches run at once.
 */
slots: number, 
/**
 * How many run.
 */
thinking: number, 
/**
 * How many wait for their turn.
 */
queued: number, };

/**
 * What tables there are.
 */
export type LobbyTables = { 
/**
 * Classes that answer, smallest first.
 */
ready: Array<string>, 
/**
 * The class being built here.
 */
building: string | null, 
/**
 * What is wrong with files of the folder, a sentence each.
 */
problems: Array<string>, };

/**
 * A game after an action, or as it stands when somebody comes to it.
 */
export type Game = { 
/**
 * The game's number; `gameId` elsewhere.
 */
id: number, 
/**
 * Which game it is.
 */
game: string, 
/**
 * Who plays.
 */
players: Players, 
/**
 * The position.
 */
state: State, 
/**
 * Counts what happened: each action, and an end otherwise than by rule. Each revision is
 * sent once to everybody who is there.
 */
revision: number, 
/**
 * The action that led here.
 */
lastAction: LastAction | null, 
/**
 * How it ended; `null` while it goes on.
 */
result: GameResult | null, 
/**
 * The clocks; `null` without.
 */
clocks: Clocks | null, 
/**
 * What the bots think.
 */
botEvaluations: BotEvaluations, 
/**
 * Whose offer of a draw stands.
 */
drawOffer: Team | null, 
/**
 * The position the game began with; with `history`.
 */
start?: string, 
/**
 * The texts of all actions from the start, for whoever comes to the game; left out of the
 * messages that follow an action.
 */
history?: Array<string>, };

/**
 * Both players.
 */
export type Players = { 
/**
 * White.
 */
white: Player, 
/**
 * Black.
 */
black: Player, };

/**
 * A player.
 */
export type Player = { 
/**
 * The user; `null` for a bot.
 */
id: number | null, 
/**
 * The name.
 */
name: string, 
/**
 * What kind of bot it is, for a bot.
 */
bot?: Bot, 
/**
 * Whether the player is there; bots always are.
 */
connected: boolean, };

/**
 * A bot that plays.
 */
export type Bot = { 
/**
 * Its level; 10 is full strength.
 */
level: number, 
/**
 * Whether it asks the tables.
 */
tables: boolean, };

/**
 * A position.
 */
export type State = { 
/**
 * The side to move.
 */
turn: Team, 
/**
 * 64 squares, a1 to h1, then a2 to h2 and so on: the square (x, y) is at `8 * y + x`.
 */
board: Array<Stack | null>, 
/**
 * The same as one line of text.
 */
position: string, };

/**
 * A stack on a square.
 */
export type Stack = { 
/**
 * Whose it is.
 */
team: Team, 
/**
 * How many bots stand on it.
 */
stack: number, };

/**
 * A side.
 */
export type Team = "white" | "black";

/**
 * The side a player would like.
 */
export type ColorChoice = "white" | "black" | "random";

/**
 * A square by its coordinates, both 0–7: `{"x":0,"y":1}` is a2.
 */
export type Point = { 
/**
 * The column, 0 is `a`.
 */
x: number, 
/**
 * The row, 0 is White's first.
 */
y: number, };

/**
 * One turn: a move of `count` bots, or with count 0 the boom of the source.
 */
export type Action = { 
/**
 * The stack that acts.
 */
source: Point, 
/**
 * Where the bots go; of a boom the source, and then it need not be given.
 */
target?: Point, 
/**
 * How many bots go; 0 is a boom.
 */
count: number, };

/**
 * The action before a position.
 */
export type LastAction = { 
/**
 * Who acted.
 */
team: Team, 
/**
 * What was done.
 */
action: Action, 
/**
 * The same as text.
 */
text: string, 
/**
 * The name the player gave it.
 */
actionId?: string, };

/**
 * How a game ended.
 */
export type GameResult = { 
/**
 * Who won; `null` for a draw, or when a game was broken off.
 */
winner: Team | null, 
/**
 * Why it ended.
 */
reason: EndReason, };

/**
 * Why a game ended.
 */
export type EndReason = "boom" | "resignation" | "timeForfeit" | "abandonment" | "agreement" | "actionLimit" | "brokenOff";

/**
 * The clocks.
 */
export type Clocks = { 
/**
 * Milliseconds White had left when the message was made.
 */
whiteMs: number, 
/**
 * Milliseconds Black had left.
 */
blackMs: number, 
/**
 * Milliseconds an action adds.
 */
incrementMs: number, 
/**
 * Whose clock runs; `null` when the game has ended.
 */
running: Team | null, };

/**
 * A clock: so much time each, and more after each action.
 */
export type ClockSettings = { 
/**
 * Milliseconds at the start, 1 000 to 86 400 000.
 */
initialMs: number, 
/**
 * Milliseconds gained by each action, at most 600 000.
 */
incrementMs: number, };

/**
 * The last judgement of each side's bot.
 */
export type BotEvaluations = { 
/**
 * White's bot; `null` before its first search, or when White is no bot.
 */
white: BotEvaluation | null, 
/**
 * Black's bot.
 */
black: BotEvaluation | null, };

/**
 * A bot's judgement, from White's point of view.
 */
export type BotEvaluation = { 
/**
 * 100 is worth one bot; a win in p plies is `1000000 - p`, a loss `p - 1000000`.
 */
whiteScore: number, 
/**
 * The moves the winning side still makes, positive when that is White and never 0; `null`
 * unless an end is known.
 */
mateIn: number | null, };

/**
 * The best actions of a position.
 */
export type Analysis = { 
/**
 * The position.
 */
position: string, 
/**
 * Iterations finished.
 */
depth: number, 
/**
 * Positions looked at.
 */
nodes: number, 
/**
 * Milliseconds since the search began.
 */
timeMs: number, 
/**
 * The best actions, best first.
 */
lines: Array<AnalysisLine>, 
/**
 * What the tables say of the position, where they cover it.
 */
table: TableValue | null, 
/**
 * Whether the search has ended.
 */
done: boolean, };

/**
 * An action with what follows.
 */
export type AnalysisLine = { 
/**
 * The score, from White's point of view, on the scale of `botEvaluations`.
 */
whiteScore: number, 
/**
 * The moves the winning side still makes, signed for White.
 */
mateIn: number | null, 
/**
 * The action.
 */
action: Action, 
/**
 * Best play, the action first.
 */
line: Array<string>, };

/**
 * How the analysis of a position stands, asked for by `deepAnalyze`.
 */
export type DeepAnalysis = { 
/**
 * The position.
 */
position: string, 
/**
 * Who works on it.
 */
by: DeepAnalysisSource, 
/**
 * Whether it goes on.
 */
state: DeepAnalysisState, 
/**
 * The score, from White's point of view, on the scale of `botEvaluations`; `null` before
 * anything is known.
 */
whiteScore: number | null, 
/**
 * The moves the winning side still makes, signed for White.
 */
mateIn: number | null, 
/**
 * What is certain, for the side to move.
 */
proved: ProvedValue | null, 
/**
 * The best lines, best first.
 */
lines: Array<DeepLine>, 
/**
 * Pieces of work that are finished.
 */
jobs: number, 
/**
 * Positions looked at.
 */
nodes: number, 
/**
 * The cluster's workers that are at it; none where the server does it by itself.
 */
workers: Array<string>, 
/**
 * Milliseconds it has run.
 */
timeMs: number, 
/**
 * Why nothing happens, where nothing does.
 */
waiting: string | null, 
/**
 * What went wrong, if it goes on all the same.
 */
problem: string | null, };

/**
 * A line of a deep analysis.
 */
export type DeepLine = { 
/**
 * The score, from White's point of view; `null` where only a proof was looked for.
 */
whiteScore: number | null, 
/**
 * The moves the winning side still makes, signed for White.
 */
mateIn: number | null, 
/**
 * What is certain of the action, for whoever takes it.
 */
proved: ProvedValue | null, 
/**
 * The action.
 */
action: Action, 
/**
 * Best play, the action first.
 */
line: Array<string>, };

/**
 * A value that is certain.
 */
export type ProvedValue = { 
/**
 * Who wins.
 */
value: TableResult, 
/**
 * Plies to the end: exact by a table, else at most; `null` for a draw.
 */
plies: number | null, 
/**
 * Whether a table says so; otherwise a proof does.
 */
exact: boolean, };

/**
 * Who works on a deep analysis.
 */
export type DeepAnalysisSource = "cluster" | "server";

/**
 * Whether a deep analysis goes on.
 */
export type DeepAnalysisState = "running" | "done" | "cancelled";

/**
 * What is being built.
 */
export type Builds = { 
/**
 * By this server.
 */
local: LocalBuilds, 
/**
 * By the cluster whose coordinator this server follows; `null` if it follows none.
 */
cluster: ClusterBuilds | null, };

/**
 * Builds by the server itself.
 */
export type LocalBuilds = { 
/**
 * Whether missing classes are built.
 */
enabled: boolean, 
/**
 * Classes that answer, smallest first.
 */
ready: Array<string>, 
/**
 * Classes that wait for their turn.
 */
waiting: Array<string>, 
/**
 * The class under way.
 */
current: ClassBuild | null, 
/**
 * Why the last build failed or waits.
 */
problem: string | null, };

/**
 * A class being built.
 */
export type ClassBuild = { 
/**
 * The class.
 */
class: string, 
/**
 * What is being done: `reading`, `booms`, `plies`, `writing`; on a cluster also `encoding`,
 * `verifying`, `auditing` and `publishing`.
 */
phase: string, 
/**
 * Done in this phase.
 */
done: number, 
/**
 * All of this phase.
 */
all: number, 
/**
 * The ply being swept.
 */
ply: number, 
/**
 * Positions decided so far, counted up to symmetry.
 */
decided: number, 
/**
 * Seconds since the class was begun or taken up again.
 */
elapsedSeconds: number, 
/**
 * Units of the phase a second.
 */
rate: number | null, 
/**
 * Seconds the phase will still take at that rate.
 */
remainingSeconds: number | null, 
/**
 * Why nothing happens, where nothing does.
 */
waiting: string | null, };

/**
 * Builds by a cluster.
 */
export type ClusterBuilds = { 
/**
 * Whether the coordinator answers.
 */
connected: boolean, 
/**
 * Why it does not.
 */
problem: string | null, 
/**
 * Classes under way.
 */
classes: Array<ClassBuild>, 
/**
 * Classes that are published.
 */
published: Array<string>, 
/**
 * The workers.
 */
workers: Array<ClusterWorker>, 
/**
 * What happened last, oldest first.
 */
events: Array<string>, };

/**
 * A worker of a cluster.
 */
export type ClusterWorker = { 
/**
 * Its name.
 */
name: string, 
/**
 * `working`, `idle`, `dead`, `left` or `banned`.
 */
state: string, 
/**
 * Why it idles, is dead or banned.
 */
reason: string | null, 
/**
 * Its threads.
 */
threads: number, 
/**
 * What it says it does.
 */
note: string, 
/**
 * Shards it has, as `class/shard`.
 */
shards: Array<string>, };

/**
 * Win, draw or loss for the side to move.
 */
export type TableResult = "win" | "draw" | "loss";

/**
 * A value with its distance.
 */
export type TableValue = { 
/**
 * Who wins.
 */
value: TableResult, 
/**
 * Plies to the end; `null` for a draw.
 */
plies: number | null, };

/**
 * An action with the value it leads to, for the side that takes it.
 */
export type RatedAction = { 
/**
 * The action's text.
 */
text: string, 
/**
 * The action.
 */
action: Action, 
/**
 * The value.
 */
value: TableResult, 
/**
 * Plies to the end, counted from the position before the action.
 */
plies: number | null, };

/**
 * The answer of `GET /api/tablebase?position=…`, and each of those of `POST /api/tablebase`.
 */
export type TableAnswer = { 
/**
 * The position that was asked for.
 */
position: string, 
/**
 * The class, where there is one: `3v2`.
 */
class: string | null, 
/**
 * Who wins; `null` with an error.
 */
value: TableResult | null, 
/**
 * Plies to the end.
 */
plies: number | null, 
/**
 * Every action, best first; only where one position is asked for.
 */
actions?: Array<RatedAction>, 
/**
 * Why there is no value.
 */
error?: string, };

/**
 * The body of `POST /api/tablebase`; the answer is a list in the same order.
 */
export type TableBatch = { 
/**
 * At most 1 000 positions.
 */
positions: Array<string>, };

/**
 * The answer of `GET /api/games`: a page of finished games, the latest first.
 */
export type FinishedGames = { 
/**
 * The games.
 */
games: Array<GameSummary>, 
/**
 * To be given as `before` for the next page; `null` on the last.
 */
next: number | null, };

/**
 * A finished game in the list.
 */
export type GameSummary = { 
/**
 * Its number.
 */
id: number, 
/**
 * Which game it is.
 */
game: string, 
/**
 * White's name.
 */
white: string, 
/**
 * Black's name.
 */
black: string, 
/**
 * Who won; `null` for a draw.
 */
winner: Team | null, 
/**
 * Why it ended.
 */
reason: EndReason, 
/**
 * How many actions were taken.
 */
actions: number, 
/**
 * When it began, in seconds since 1970.
 */
createdAt: number, 
/**
 * When it ended.
 */
endedAt: number, };

/**
 * The answer of `GET /api/games/ID`.
 */
export type FinishedGame = { 
/**
 * The position it began with.
 */
start: string, 
/**
 * The texts of its actions.
 */
history: Array<string>, 
/**
 * Its record as text.
 */
record: string, 
/**
 * Its number.
 */
id: number, 
/**
 * Which game it is.
 */
game: string, 
/**
 * White's name.
 */
white: string, 
/**
 * Black's name.
 */
black: string, 
/**
 * Who won; `null` for a draw.
 */
winner: Team | null, 
/**
 * Why it ended.
 */
reason: EndReason, 
/**
 * How many actions were taken.
 */
actions: number, 
/**
 * When it began, in seconds since 1970.
 */
createdAt: number, 
/**
 * When it ended.
 */
endedAt: number, };

export const PROTOCOL_VERSION = 1;
export const MAX_MESSAGE_BYTES = 65536;
export const MAX_NAME_CHARACTERS = 32;
