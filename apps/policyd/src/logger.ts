import { currentTraceId } from '@mailstead/core/trace';
import winston from 'winston';

export type Logger = winston.Logger;

/** Writes JSON lines to standard output, with a timestamp and the trace of the request to the API that decided. */
export function createLogger(level: string): Logger {
  return winston.createLogger({
    level,
    defaultMeta: {
      process: 'policyd',
      get trace_id() {
        return currentTraceId() ?? undefined;
      },
    },
    format: winston.format.combine(winston.format.timestamp(), winston.format.json()),
    transports: [new winston.transports.Stream({ stream: process.stdout })],
  });
}
