/** What surrounds the screens. */
export const frame = {
  colours: 'Colours',
  light: 'Light',
  dark: 'Dark',
  asSystem: 'Same as the system',
  language: 'Language',
  logOut: 'Log out',
  stillLoggedIn: 'Still logged in',
  partsOfDomain: 'Parts of the domain',
  overview: 'Overview',
  dns: 'DNS',
  mailboxes: 'Mailboxes',
  aliases: 'Aliases',
  sending: 'Sending',
  messages: 'Messages',
  history: 'History',
  settings: 'Settings',
} as const;
