import { Refusal } from './api/problem.js';
import { reportService, serviceIsBack } from './api/service-state.js';
import { t } from './texts/texts.js';

/** With the same build the file is there, so a connection was lost. */
const ATTEMPTS = 3;
const PAUSE_MS = 300;
/** Begins the key of each reload in the storage of the tab. */
const RELOADED = 'reloaded';

/** The entry of this page: another build has another name for it. */
const ENTRY = new URL(import.meta.url).pathname;

/**
 * Loads a script of the page. In an outage it waits for the service, and then fetches the script again. When a newer
 * build has dropped the script, or the browser does not fetch it again, the page is loaded anew at its address: once
 * for each build and address, so that it never does so for ever.
 *
 * @param mayReload false while nobody waits for the script, as when it is loaded ahead
 * @throws Refusal with a sentence for people
 */
export async function loadAgain<Module>(
  load: () => Promise<Module>,
  mayReload: () => boolean = () => true,
): Promise<Module> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await load();
    } catch {
      const build = await servedBuild();
      if (build === 'down') {
        reportService(true);
        await serviceIsBack();
      } else if (build === 'newer' || attempt >= ATTEMPTS) {
        if (mayReload() && reloadOnce()) await new Promise(() => undefined);
        throw new Refusal(t('page.partNotLoaded'));
      } else {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
      }
    }
  }
}

async function servedBuild(): Promise<'down' | 'same' | 'newer'> {
  try {
    const response = await fetch('/portal/', { cache: 'no-store' });
    // Another refusal, such as that of a proxy, does not end when the service is waited for.
    if (response.status >= 500) return 'down';
    if (!response.ok) return 'same';
    return (await response.text()).includes(ENTRY) ? 'same' : 'newer';
  } catch {
    return 'down';
  }
}

/** Returns false when this build was already loaded anew at this address. */
function reloadOnce(): boolean {
  const key = `${RELOADED} ${ENTRY} ${window.location.href}`;
  try {
    if (sessionStorage.getItem(key) !== null) return false;
    sessionStorage.setItem(key, '');
  } catch {
    // Without a storage nothing would end a loop.
    return false;
  }
  window.location.reload();
  return true;
}
