/** A private server process. It keeps its port, its data (Redis keeps none) and its URL over a restart. */
export interface ServiceHandle {
  readonly url: string;
  readonly port: number;
  /** Undefined while it is stopped. */
  readonly pid: number | undefined;
  /** Resolves when it answers. @throws Error with the end of its log. */
  start(): Promise<void>;
  /** An orderly end (SIGTERM). */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  restart(): Promise<void>;
}

export interface Services {
  /** `mysql://user:password@127.0.0.1:port/mailstead_test`; the user may do everything and GRANT it. */
  mariadbUrl: string;
  mariadbSocket: string;
  redisUrl: string;
  mariadb: ServiceHandle & { readonly socket: string };
  redis: ServiceHandle;
  /** Kills the servers and removes their folder. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Further command line options of mariadbd, as `--max-connections=50`. */
  mariadbOptions?: string[];
  /** Further command line options of redis-server, as `'--maxmemory', '8mb'`. */
  redisOptions?: string[];
  /** Where the folder with their data is made, at most 60 characters long; the folder for temporary files when left out. */
  parentFolder?: string;
}

/** Starts private servers on loopback and waits until they answer. They end with this process, however it ends. */
export function startServices(wanted: ServiceOptions & { mariadb: true; redis: true }): Promise<Services>;
export function startServices(
  wanted: ServiceOptions & { mariadb: true; redis?: false },
): Promise<Omit<Services, 'redis' | 'redisUrl'>>;
export function startServices(
  wanted: ServiceOptions & { mariadb?: false; redis: true },
): Promise<Omit<Services, 'mariadb' | 'mariadbUrl' | 'mariadbSocket'>>;

/** The `MAILSTEAD_TEST_*` variables by which tests find the services. */
export function serviceEnvironment(
  services: Partial<Pick<Services, 'mariadbUrl' | 'mariadbSocket' | 'redisUrl'>>,
): Record<string, string>;

/** A server process of a test's own: the class behind the handles. */
export class Server {
  constructor(options: {
    name: string;
    command: string;
    args: string[];
    env: Record<string, string>;
    logFile: string;
    port: number;
    /** Whether it answers; a rejection is taken for a failed start. */
    isReady: (port: number) => Promise<boolean>;
  });
  readonly port: number;
  /** Of the next start. */
  args: string[];
  /** Undefined while it is stopped. */
  readonly pid: number | undefined;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** An empty folder that a service account can reach; it goes away with this process, however it ends. */
export function makeFolder(): Promise<string>;
