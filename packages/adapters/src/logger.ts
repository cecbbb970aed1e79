import { currentTraceId } from '@mailstead/core/trace';
import winston from 'winston';
import { LineWriter } from './line-writer.js';

export type Logger = winston.Logger;

/** Logs JSON lines with a timestamp, and with the trace of the present work; on a terminal, readable text lines. */
export function createLogger(
  level: string,
  output: NodeJS.WritableStream & { isTTY?: boolean } = process.stdout,
): Logger {
  const readable = winston.format.printf(({ level: severity, message, ...rest }) => {
    const json = JSON.stringify(rest);
    const details = json === '{}' ? '' : ` ${json}`;
    return `${new Date().toISOString()} ${severity} ${String(message)}${details}`;
  });
  // One format function: a chain of winston formats takes longer than formatting the line.
  const json = winston.format.printf((line) => JSON.stringify({ ...line, timestamp: new Date().toISOString() }));
  return winston.createLogger({
    level,
    // Read at the call, not when the line is formatted: a line that waits for the output is formatted in later work.
    defaultMeta: {
      get trace_id() {
        return currentTraceId() ?? undefined;
      },
    },
    format: output.isTTY === true ? readable : json,
    transports: [new winston.transports.Stream({ stream: new LineWriter(output) })],
  });
}
