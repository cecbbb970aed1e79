import { isOnThisMachine, type ListenAddress, parseListenAddress } from './listen-address.js';
import { type Field, type Reader, Refusal, Setting } from './setting.js';

/** A text, of a form if one is given. `reason` must not show the text, which may be a secret. */
export function Text<T extends string = string>(form: RegExp = /^/, reason = 'must be a text'): Field<T> {
  return Setting((given) => {
    if (typeof given !== 'string') return new Refusal(reason);
    return form.test(given) ? (given as T) : new Refusal(reason, given);
  });
}

export function Switch(): Field<boolean> {
  const words = new Map([
    ...['true', 'on', 'yes', '1'].map((word) => [word, true] as const),
    ...['false', 'off', 'no', '0'].map((word) => [word, false] as const),
  ]);
  return Setting((given) => words.get(String(given).toLowerCase()) ?? new Refusal('must be true or false'));
}

export function Choice<const T extends string>(...values: T[]): Field<T> {
  const [first, second, third] = values;
  const several = third === undefined ? `${first} or ${second}` : `one of ${values.join(', ')}`;
  const reason = `must be ${second === undefined ? `${first}, or not set` : several}`;
  return Setting((given) => values.find((value) => value === given) ?? new Refusal(reason));
}

export function Whole(min: number, max: number): Field<number> {
  return whole(`a whole number from ${min} to ${max}`, min, max);
}

export function Port(min = 0): Field<number> {
  return whole(`a port, ${min} to 65535`, min, 65_535);
}

export function Seconds(min: number, max: number): Field<number> {
  return whole(`whole seconds, ${min} to ${max}`, min, max);
}

export function Minutes(min: number, max: number): Field<number> {
  return whole(`whole minutes, ${min} to ${max}`, min, max);
}

export function Hours(min: number, max: number): Field<number> {
  return whole(`whole hours, ${min} to ${max}`, min, max);
}

export function Days(min: number, max: number): Field<number> {
  return whole(`whole days, ${min} to ${max}`, min, max);
}

export function Percent(min: number): Field<number> {
  return Setting((given) => {
    const value = Number(given);
    return value >= min && value <= 100 ? value : new Refusal(`must be a number from ${min} to 100`);
  });
}

/** The address that a server listens on. */
export function Listen(): Field<ListenAddress> {
  return Setting(readListenAddress);
}

export function ListenOrOff(): Field<ListenAddress | null> {
  return Setting((given) => (given === 'off' ? null : readListenAddress(given)));
}

/** An address of this machine, for what is not encrypted. */
export function LocalListenOrOff(): Field<ListenAddress | null> {
  return Setting(readLocalAddressOrOff);
}

/** Several addresses of this machine, separated by commas; null for each `off`. */
export function LocalAddresses(): Field<(ListenAddress | null)[]> {
  return Setting((given) => readEach(given, readLocalAddressOrOff));
}

/** Several addresses, separated by commas. */
export function ListenOnAll(): Field<ListenAddress[]> {
  return Setting((given) => readEach(given, readListenAddress));
}

/** One or several, separated by commas. Whatever Node can call, such as a host name with a dot at its end. */
export function ApiUrl(): Field<string> {
  return Setting((given) => {
    const urls = typeof given === 'string' ? given.split(',').map((url) => url.trim()) : [''];
    return urls.every(isApiUrl)
      ? urls.join(',')
      : new Refusal('must be the URL of the API, such as http://127.0.0.1:8080, or several separated by commas');
  });
}

/** A text that `isRight` accepts. `reason` must not show the text, which may be a secret. */
export function Checked(isRight: (text: string) => boolean, reason: string): Field<string> {
  return Setting((given) => (isRight(String(given)) ? String(given) : new Refusal(reason, given)));
}

/**
 * The path of a folder. Docker keeps quotation marks of its `--env-file`, and nobody but a shell replaces `~` and
 * `$HOME`: each would be part of another path.
 */
export function Folder(longest = 1_000): Field<string> {
  return Checked(
    (text) => text.length <= longest && !/^["'~]|\$[A-Za-z_{]/.test(text),
    `must be a path of at most ${longest} characters, without quotation marks around it, ~ and variables`,
  );
}

/** An http or https URL that a request can be sent to. Such requests leave out a user and a password of the URL. */
export function HttpUrl(example: string, isRight: (url: URL) => boolean = () => true): Field<string> {
  const reason = `must be a URL like ${example}, without a user and a password`;
  return Setting((given) => (isRequestUrl(given, isRight) ? given : new Refusal(reason, given)));
}

/** The same, several of them separated by commas, each once. */
export function HttpUrls(example: string, isRight: (url: URL) => boolean): Field<readonly string[]> {
  const reason = `must be URLs like ${example}, separated by commas, without a user and a password`;
  return Setting((given) => {
    const urls = readEach(given, (url) =>
      isRequestUrl(url, isRight) && !/\s/.test(url) ? url : new Refusal(reason, given),
    );
    return urls instanceof Refusal ? urls : [...new Set(urls)];
  });
}

function isRequestUrl(given: unknown, isRight: (url: URL) => boolean): given is string {
  if (typeof given !== 'string' || !isHttpUrl(given)) return false;
  const url = new URL(given);
  return url.username === '' && url.password === '' && isRight(url);
}

/** Paths are written after the URL, so a query or a fragment would take them. */
function isApiUrl(text: string): boolean {
  return isHttpUrl(text) && !/[?#\s]/.test(text);
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).port !== '0';
}

function whole(expected: string, min: number, max: number): Field<number> {
  return Setting((given) => {
    const value = Number(given);
    return Number.isInteger(value) && value >= min && value <= max ? value : new Refusal(`must be ${expected}`);
  });
}

/** Reads a list that is separated by commas. */
function readEach<T>(given: unknown, readOne: Reader<T>): T[] | Refusal {
  const read = String(given)
    .split(',')
    .map((each) => readOne(each.trim()));
  const refused = read.find((each) => each instanceof Refusal);
  return refused ?? read.filter((each): each is T => !(each instanceof Refusal));
}

const readListenAddress: Reader<ListenAddress> = (given) =>
  parseListenAddress(String(given)) ?? new Refusal('must be host:port or unix:/path');

const readLocalAddressOrOff: Reader<ListenAddress | null> = (given) => {
  if (given === 'off') return null;
  const address = parseListenAddress(String(given));
  return address !== null && isOnThisMachine(address)
    ? address
    : new Refusal('must be unix:/path, or host:port with localhost, 127.0.0.1 or [::1], or off');
};
