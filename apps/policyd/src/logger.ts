import winston from 'winston';

export type Logger = winston.Logger;

/** JSON lines with a time. */
export function createLogger(level: string): Logger {
  return winston.createLogger({
    level,
    defaultMeta: { process: 'policyd' },
    format: winston.format.combine(winston.format.timestamp(), winston.format.json()),
    transports: [new winston.transports.Stream({ stream: process.stdout })],
  });
}
