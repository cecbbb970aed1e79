// @ts-check
import { missingPrograms } from './needed-programs.mjs';

describe('the programs that tests need', () => {
  it('are named with their Debian packages when they are missing', () => {
    const look = (/** @type {string} */ name) => (name === 'rsync' ? '/usr/bin/rsync' : undefined);
    expect(missingPrograms('PHP', look)).toBe('php of PHP not found: apt-get install php-cli');
    expect(missingPrograms('Galera', look)).toBe(
      'libgalera_smm.so, wsrep_sst_rsync of Galera not found: apt-get install galera-4 mariadb-server',
    );
  });

  it('are not named when they are there', () => {
    expect(missingPrograms('the mail servers', (name) => `/usr/bin/${name}`)).toBeNull();
  });
});
