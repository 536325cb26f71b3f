/** What the user does on the network before filling in the form. */
export const stepsFor = (platform: string): readonly string[] => steps[platform] ?? [];

const steps: Record<string, readonly string[]> = {
  telegram: [
    'In Telegram, message @BotFather and send /newbot. It replies with a token.',
    'In your channel, open Administrators and add the bot with permission to post messages.',
    'Enter the token and the channel name below.',
  ],
  bluesky: [
    'In Bluesky, open Settings > Privacy and security > App passwords.',
    'Create an app password and copy it. You can revoke it there at any time.',
    'Enter your handle and the app password below.',
  ],
};
