/**
 * @returns the result of the promise, or the result of `late` (which may throw) when the promise is not settled within
 * `ms` milliseconds. A later result or error of the promise is ignored.
 */
export async function withTimeout<T, Late = never>(
  promise: Promise<T>,
  ms: number,
  late: () => Late,
): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  }).then(late);
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
