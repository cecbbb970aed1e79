// @ts-check
// The AsyncLocalStorages that a test file used. jest makes one for each file and leaves it switched on. Node before 24
// copies the store of each that is on to every new promise: after 150 files a promise cost some ten times as much.
const { AsyncLocalStorage } = require('node:async_hooks');

/** @type {Set<AsyncLocalStorage<unknown>>} */
const used = new Set();

for (const name of /** @type {const} */ (['run', 'enterWith'])) {
  const original = AsyncLocalStorage.prototype[name];
  /**
   * @this {AsyncLocalStorage<unknown>}
   * @param {unknown[]} given
   */
  AsyncLocalStorage.prototype[name] = function (...given) {
    used.add(this);
    return Reflect.apply(original, this, given);
  };
}

/** Switches them off, at the end of a file. One that is used again is on again. */
function disableUsedStorages() {
  for (const storage of used) storage.disable();
  used.clear();
}

module.exports = { disableUsedStorages };
