const DIGITS = '0123456789BCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz';

/**
 * A queue id as Postfix makes it with `enable_long_queue_ids`: seconds and microseconds to the base 52, `z`, and the
 * number of the file to the base 51.
 */
export function longQueueId(at: Date, file = 1_000_000): string {
  const ms = at.getTime();
  return `${digits(Math.floor(ms / 1_000), 52, 6)}${digits((ms % 1_000) * 1_000, 52, 4)}z${digits(file, 51, 1)}`;
}

function digits(number: number, base: number, length: number): string {
  let text = '';
  for (let left = number; left > 0; left = Math.floor(left / base)) text = `${DIGITS[left % base]}${text}`;
  return text.padStart(length, '0');
}
