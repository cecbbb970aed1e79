import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';

/** Says which hosts stand in front of the service; none: withdraws it. */
export const sayFrontHosts = (name: string) =>
  change({
    run: async (hosts: string[]) => {
      await api.PUT('/domains/{domain_name}/front-hosts', { params: { path: { domain_name: name } }, body: { hosts } });
    },
    touches: [keys.domain(name)],
  });
