// @ts-check
// jest's environment of test files, which a worker keeps for all its files, so that they can share modules
// (shared-runtime.cjs). A file with `@jest-environment node` in its first comment has one of its own.
const { TestEnvironment } = require('jest-environment-node');

/** Names of the symbols under which jest-circus keeps what belongs to one file. */
const OF_ONE_FILE = new Set(['EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/** @type {SharedEnvironment | undefined} */
let kept;

class SharedEnvironment extends TestEnvironment {
  /** @param {ConstructorParameters<typeof TestEnvironment>} given */
  constructor(...given) {
    if (kept !== undefined) return kept;
    super(...given);
    this.variables = { ...this.global.process.env };
    // With `--watch` a process goes on after a change of the sources. The coverage is counted for each file.
    const { watch, watchAll, collectCoverage } = given[0].globalConfig;
    this.isShared = !(watch || watchAll || collectCoverage);
    if (this.isShared) kept = this;
  }

  /** @override */
  async teardown() {
    if (!this.isShared) return super.teardown();
    this.fakeTimersModern?.useRealTimers();
    this.global.process.env = { ...this.variables };
    for (const symbol of Object.getOwnPropertySymbols(this.global)) {
      if (OF_ONE_FILE.has(symbol.description ?? '')) Reflect.deleteProperty(this.global, symbol);
    }
  }
}

module.exports = SharedEnvironment;
