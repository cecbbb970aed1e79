import winston from 'winston';

export type Logger = winston.Logger;

/** JSON lines with a time; on a terminal one readable line each. */
export function createLogger(
  level: string,
  output: NodeJS.WritableStream & { isTTY?: boolean } = process.stdout,
): Logger {
  const { combine, timestamp, json, printf, errors } = winston.format;
  const readable = printf(({ timestamp: at, level: severity, message, ...rest }) => {
    const details = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
    return `${String(at)} ${severity} ${String(message)}${details}`;
  });
  return winston.createLogger({
    level,
    format: combine(errors({ stack: true }), timestamp(), output.isTTY === true ? readable : json()),
    transports: [new winston.transports.Stream({ stream: output })],
  });
}
