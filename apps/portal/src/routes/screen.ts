import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { isOperator } from '../api/caller.js';
import { serviceIsBack } from '../api/service-state.js';
import type { Caller } from '../api/shapes.js';
import { loadAgain } from '../load-again.js';
import { loadLaterTexts } from '../texts/speak.js';

const IDLE_MS = 1_000;

/** What can be loaded ahead. */
const waiting: { load: () => Promise<unknown>; isOperators: boolean }[] = [];
let isGoing: () => boolean = () => true;

/** @param going says whether somebody waits for a screen. */
export function whileGoing(going: () => boolean): void {
  isGoing = going;
}

/** @returns what loads a part of the frame, after having noted that it can be loaded ahead */
export function ahead<Module>(load: () => Promise<Module>): () => Promise<Module> {
  waiting.push({ load, isOperators: false });
  return load;
}

/**
 * A screen whose script is loaded when it is needed, or ahead of that, and with it the texts that are not in the first
 * load. @param isFirst it needs none of them
 */
export function screen<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  { isOperators = false, isFirst = false } = {},
): ReturnType<typeof lazyRouteComponent> {
  const loadBoth = async () => {
    const [screenModule] = await Promise.all([load(), isFirst ? undefined : loadLaterTexts()]);
    return screenModule;
  };
  waiting.push({ load: loadBoth, isOperators });
  return lazyRouteComponent(() => loadAgain(loadBoth, () => isGoing()), name);
}

/**
 * Loads the scripts of the caller's screens while the browser has nothing else to do, so that a click needs none of
 * them: one after the other, and none where data is to be saved.
 */
export function loadScreensAhead(caller: Caller): () => void {
  let isLeft = false;
  const loadAll = async () => {
    for (const { load, isOperators } of waiting) {
      if (isOperators && !isOperator(caller)) continue;
      await idle();
      await serviceIsBack();
      if (isLeft) return;
      await load();
    }
  };
  // The click that needs the screen loads it again.
  if (!savesData()) loadAll().catch(() => undefined);
  return () => {
    isLeft = true;
  };
}

/** Safari has no `requestIdleCallback`. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: IDLE_MS });
    else setTimeout(resolve, IDLE_MS);
  });
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
