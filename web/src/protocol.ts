/** The messages between server and clients, made from the server's types. */
export * from "../../server/protocol/bindings/protocol";
