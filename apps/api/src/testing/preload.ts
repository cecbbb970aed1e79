/**
 * Returns an environment in which Node runs JavaScript before the service, to replace parts of Node, not of the
 * service.
 */
export function preload(...sources: string[]): Record<string, string> {
  const modules = sources.map((source) => `--import=data:text/javascript,${encodeURIComponent(source)}`);
  return modules.length === 0 ? {} : { NODE_OPTIONS: modules.join(' ') };
}

/** Sets the clock of the child process ahead by a number of milliseconds. */
export function clockAhead(ms: number): string {
  return `
    const RealDate = Date;
    globalThis.Date = class Date extends RealDate {
      constructor(...given) {
        super(...(given.length === 0 ? [RealDate.now() + ${ms}] : given));
      }
      static now() {
        return RealDate.now() + ${ms};
      }
    };`;
}

/** Makes all files appear older to the child process by a number of milliseconds: nothing else can set their ctime. */
export function filesOlder(ms: number): string {
  return `
    import { promises } from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const realStat = promises.lstat;
    promises.lstat = async (...given) => {
      const stats = await realStat(...given);
      stats.ctimeMs -= ${ms};
      return stats;
    };
    syncBuiltinESMExports();`;
}

/** Makes `fetch` return a text for one URL. Other URLs are fetched normally. */
export function answerAt(url: string, text: string): string {
  return `
    const realFetch = globalThis.fetch;
    globalThis.fetch = async (url, init) =>
      String(url) === ${JSON.stringify(url)} ? new Response(${JSON.stringify(text)}) : realFetch(url, init);`;
}
