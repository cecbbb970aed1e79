import winston from 'winston';

export type Logger = winston.Logger;

/**
 * Writes JSON lines with a timestamp.
 *
 * @param stream standard error for the commands, whose standard output is their result
 */
export function createLogger(level: string, stream: NodeJS.WritableStream = process.stdout): Logger {
  return winston.createLogger({
    level,
    defaultMeta: { process: 'billing' },
    format: winston.format.combine(winston.format.timestamp(), winston.format.json()),
    transports: [new winston.transports.Stream({ stream })],
  });
}
