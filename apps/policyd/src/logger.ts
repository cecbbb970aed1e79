import winston from 'winston';

export type Logger = winston.Logger;

/** Writes JSON lines with a timestamp to standard output. */
export function createLogger(level: string): Logger {
  return winston.createLogger({
    level,
    defaultMeta: { process: 'policyd' },
    format: winston.format.combine(winston.format.timestamp(), winston.format.json()),
    transports: [new winston.transports.Stream({ stream: process.stdout })],
  });
}
