/** Node options that run a piece of JavaScript in a child process before the service: what stands around it, never in it. */
export function preload(...sources: string[]): Record<string, string> {
  const modules = sources.map((source) => `--import=data:text/javascript,${encodeURIComponent(source)}`);
  return modules.length === 0 ? {} : { NODE_OPTIONS: modules.join(' ') };
}

/** Lets the process live so many milliseconds ahead of this one, as if it had been started then. */
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

/** Answers one address of the internet with this text; every other address is called as ever. */
export function answerAt(url: string, text: string): string {
  return `
    const realFetch = globalThis.fetch;
    globalThis.fetch = async (url, init) =>
      String(url) === ${JSON.stringify(url)} ? new Response(${JSON.stringify(text)}) : realFetch(url, init);`;
}
