// @ts-check

/** A step that takes less than this is not mentioned. */
const SILENT_MS = 1_500;
/** Between two lines where lines cannot be written over: in a file or a pipe. */
const LINE_EVERY_MS = 10_000;

/**
 * Runs a step and says on standard error what it is, for how long it has run, and when it is done, because standard
 * output is reserved for the service. On a terminal one line is written over.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {{ count?: () => string, output?: NodeJS.WriteStream }} [options] `count` tells how far the step is.
 * @returns {Promise<T>}
 */
export async function withProgress(name, work, { count = () => '', output = process.stderr } = {}) {
  const startedAt = performance.now();
  let linesAt = Number.NEGATIVE_INFINITY;
  const show = () => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const line = `${name} …${prefixed(count())} ${seconds} s`;
    if (output.isTTY) output.write(`\r\u001B[K${line}`);
    else if (performance.now() - linesAt >= LINE_EVERY_MS) output.write(`${line}\n`);
    else return;
    if (!output.isTTY || linesAt < 0) linesAt = performance.now();
  };
  /** @type {NodeJS.Timeout | undefined} */
  let ticks;
  const first = setTimeout(() => {
    show();
    ticks = setInterval(show, 1_000);
  }, SILENT_MS);
  let isDone = false;
  try {
    const result = await work();
    isDone = true;
    return result;
  } finally {
    clearTimeout(first);
    clearInterval(ticks);
    if (linesAt > 0) {
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      const end = isDone ? `${name}: done in ${seconds} s` : `${name}: not done`;
      output.write(output.isTTY ? `\r\u001B[K${end}\n` : `${end}\n`);
    }
  }
}

/** @param {string} text */
function prefixed(text) {
  return text === '' ? '' : ` ${text},`;
}
