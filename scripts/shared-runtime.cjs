// @ts-check
// jest's loader of modules, which a worker keeps for all its test files: a module is loaded once, not once for each
// file, and stays compiled. jest has no option for it, so this uses fields of its pinned version
// (docs/decisions/0049-test-files-share-modules.md).
const { pathToFileURL } = require('node:url');
const { default: Runtime } = require('jest-runtime');
const SharedEnvironment = require('./shared-environment.cjs');
const { disableUsedStorages } = require('./used-storages.cjs');

/** @typedef {Map<string, { status?: string } | Promise<unknown>>} Registry Modules by path, or by address. */
/**
 * @typedef {object} Fields Those of jest's loader that belong to one file, or to all.
 * @property {string} _testPath
 * @property {{ esModuleRegistry: Registry, moduleRegistry: Registry, internalModuleRegistry: Registry,
 *   mockRegistry: Registry, moduleMockRegistry: Registry }} registries
 * @property {{ clearJestObjectCache(): void }} jestGlobals
 * @property {{ clear(): void }} mockState
 * @property {{ reset(): void }} testMainModule
 * @property {{ state: string }} testState
 */

/** @type {SharedRuntime | undefined} */
let kept;

class SharedRuntime extends Runtime {
  /** @param {ConstructorParameters<typeof Runtime>} given */
  constructor(...given) {
    const [config, environment, , , , , testPath] = given;
    const isShared = environment instanceof SharedEnvironment && environment.isShared;
    if (isShared && kept !== undefined) {
      kept.begin(config.setupFiles, testPath);
      return kept;
    }
    super(...given);
    this.isShared = isShared;
    this.begin(config.setupFiles, testPath);
    if (isShared) kept = this;
  }

  /**
   * @param {readonly string[]} setupFiles
   * @param {string} testPath
   */
  begin(setupFiles, testPath) {
    fieldsOf(this)._testPath = testPath;
    /** The modules that are loaded for this file alone. */
    this.own = new Set([...setupFiles, testPath].flatMap((path) => [path, pathToFileURL(path).href]));
  }

  /** @override */
  teardown() {
    disableUsedStorages();
    if (!this.isShared) return super.teardown();
    this.restoreAllMocks();
    const { registries, jestGlobals, mockState, testMainModule, testState } = fieldsOf(this);
    for (const registry of [registries.esModuleRegistry, registries.moduleRegistry]) {
      for (const [key, module] of registry) {
        const isBroken = module instanceof Promise || module.status === 'errored';
        if (this.own?.has(key) || key.startsWith('@jest/globals') || isBroken) registry.delete(key);
      }
    }
    // Of jest's own modules, only these keep what belongs to one file.
    for (const key of registries.internalModuleRegistry.keys()) {
      if (key.includes('/jest-circus/')) registries.internalModuleRegistry.delete(key);
    }
    registries.mockRegistry.clear();
    registries.moduleMockRegistry.clear();
    jestGlobals.clearJestObjectCache();
    mockState.clear();
    testMainModule.reset();
    testState.state = 'loading';
  }
}

/** @param {SharedRuntime} runtime */
function fieldsOf(runtime) {
  return /** @type {Fields} */ (/** @type {unknown} */ (runtime));
}

module.exports = SharedRuntime;
