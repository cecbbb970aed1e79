/**
 * Loads the page again when a screen's script is gone because the service has a newer build. Without a newer build, as
 * in an outage, the page stays and says what is wrong.
 */
export function reloadOnNewerBuild(): void {
  window.addEventListener('vite:preloadError', () => {
    const own = new URL(import.meta.url).pathname;
    fetch('/portal/')
      .then((response) => (response.ok ? response.text() : own))
      .then((html) => {
        if (!html.includes(own)) window.location.reload();
      })
      .catch(() => undefined);
  });
}
