/** The programs of MariaDB, found or installed. @throws Error that names the choices. */
export function findServicePrograms(
  names: ['mariadb'],
): Promise<{ mariadb: { server: string; install: string; basedir?: string; env: Record<string, string> } }>;

/** The library that makes MariaDB a node of a Galera cluster, found or installed. @throws Error that says what to install. */
export function findGaleraProvider(): Promise<string>;

/** The account a server runs as when we are root. */
export function serviceAccount(): Promise<{ name: string; uid: number; gid: number }>;
