export { noteHere } from "./board.ts";
