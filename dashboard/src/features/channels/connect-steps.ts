/** What a person does on the side of the network before the form can be filled in. */
export const stepsFor = (platform: string): readonly string[] => steps[platform] ?? [];

const steps: Record<string, readonly string[]> = {
  telegram: [
    'In Telegram, write to @BotFather and send /newbot. It gives you a token.',
    'Open your channel, then Administrators, and add the bot with the right to post messages.',
    'Enter the token and the name of the channel here.',
  ],
  bluesky: [
    'In Bluesky, open Settings, Privacy and security, App passwords.',
    'Add an app password and copy it. You can take it back there at any time.',
    'Enter your handle and the app password here.',
  ],
};
