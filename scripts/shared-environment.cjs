// @ts-check
// jest's environment of test files, which a worker keeps for all its files, so that they can share modules
// (shared-runtime.cjs). A file with `@jest-environment node` in its first comment has one of its own.
const { TestEnvironment } = require('jest-environment-node');

/** Names of the symbols under which jest-circus keeps what belongs to one file. */
const OF_ONE_FILE = new Set(['EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/** @type {SharedEnvironment | undefined} */
let kept;
/** @type {WeakMap<object, unknown>} Errors by the promises that had them before anybody heard. */
const unheard = new WeakMap();

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

  /**
   * Node ends a process when nobody has heard a rejection at the end of a turn. jest forgives one that is heard later.
   *
   * @param {{ name: string, promise?: object, error?: unknown }} event
   * @param {{ currentlyRunningTest?: { errors: unknown[] } | null }} state
   */
  handleTestEvent(event, state) {
    const { name, promise, error } = event;
    if (promise === undefined) return;
    if (name === 'error') unheard.set(promise, error);
    if (name === 'error_handled') state.currentlyRunningTest?.errors.push(unheard.get(promise));
  }

  /** @override */
  async teardown() {
    if (!this.isShared) return super.teardown();
    this.fakeTimersModern?.useRealTimers();
    this.global.process.env = { ...this.variables };
    for (const symbol of Object.getOwnPropertySymbols(this.global)) {
      if (OF_ONE_FILE.has(symbol.description ?? '')) Reflect.deleteProperty(this.global, symbol);
    }
    // It keeps what was deleted from the global object, to empty it at the end of the environment.
    globalProxyOf(this).leftovers = [];
  }
}

/**
 * @param {SharedEnvironment} environment
 * @returns {{ leftovers: unknown[] }} A private field of jest's pinned version.
 */
function globalProxyOf(environment) {
  return /** @type {{ _globalProxy: { leftovers: unknown[] } }} */ (/** @type {unknown} */ (environment))._globalProxy;
}

module.exports = SharedEnvironment;
