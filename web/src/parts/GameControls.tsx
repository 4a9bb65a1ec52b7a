import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { Team } from "../protocol";
import { send } from "../state/client";
import type { Room } from "../state/model";
import { useApp } from "../state/store";
import { text } from "../text/text";
import side from "./side.module.css";
import { useCopied } from "./useCopyPosition";

interface Props {
  room: Room;
  /** The side we play. */
  mine: Team | null;
  position: string;
}

/** What can be done beside acting: draw, resignation, rematch, sharing, leaving. */
export function GameControls({ room, mine, position }: Props) {
  const [, navigate] = useLocation();
  const [isShared, share] = useCopied();
  const { id, result } = room.game;
  const leave = () => {
    send({ type: "leaveGame", gameId: id });
    navigate("/");
  };
  return (
    <>
      {mine && !result && <DrawAnswer room={room} mine={mine} />}
      {mine && result && <RematchAnswer room={room} mine={mine} />}
      <div className={side.buttons}>
        {mine && !result && <Resign gameId={id} />}
        {mine && !result && room.game.drawOffer === null && !room.game.players[other(mine)].bot && (
          <button type="button" onClick={() => send({ type: "offerDraw", gameId: id })}>
            {text.game.offerDraw}
          </button>
        )}
        <button type="button" onClick={() => share(window.location.href)}>
          {isShared ? text.game.copied : text.game.share}
        </button>
        {(result || !mine) && (
          <Link href={`/analysis?position=${encodeURIComponent(position)}`} className="button">
            {text.game.analyse}
          </Link>
        )}
        {(result || !mine) && (
          <button type="button" onClick={leave}>
            {text.game.toLobby}
          </button>
        )}
      </div>
    </>
  );
}

/** Resigning takes two presses. */
function Resign({ gameId }: { gameId: number }) {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <button
      type="button"
      className="danger"
      onBlur={() => setIsAsked(false)}
      onClick={() => (isAsked ? send({ type: "resign", gameId }) : setIsAsked(true))}
    >
      {isAsked ? text.game.confirmResign : text.game.resign}
    </button>
  );
}

function DrawAnswer({ room, mine }: { room: Room; mine: Team }) {
  const { drawOffer, id, players } = room.game;
  if (!drawOffer) return null;
  if (drawOffer === mine) return <p role="status">{text.game.drawOffered}</p>;
  return (
    <>
      <p role="status">{text.game.drawFromOther(players[drawOffer].name)}</p>
      <div className={side.buttons}>
        <button type="button" className="primary" onClick={() => send({ type: "acceptDraw", gameId: id })}>
          {text.game.acceptDraw}
        </button>
        <button type="button" onClick={() => send({ type: "declineDraw", gameId: id })}>
          {text.game.declineDraw}
        </button>
      </div>
    </>
  );
}

function RematchAnswer({ room, mine }: { room: Room; mine: Team }) {
  const { id, players } = room.game;
  const challenge = useApp((state) => state.lobby?.challenges.find((one) => one.rematchOf === id));
  const opponent = players[other(mine)];
  if (challenge?.challengerId === players[mine].id) return <p role="status">{text.game.rematchAsked}</p>;
  return (
    <>
      {challenge && <p role="status">{text.lobby.rematchFrom(opponent.name)}</p>}
      <button type="button" className="primary" onClick={() => send({ type: "rematch", gameId: id })}>
        {challenge ? text.lobby.accept : text.game.rematch}
      </button>
    </>
  );
}

function other(team: Team): Team {
  return team === "white" ? "black" : "white";
}
