/** Holds which switches of the platforms are on. A switch changes how a platform behaves until it is turned off again. */
export function createSwitches() {
  let on = new Set<string>();
  const key = (platform: string, name: string) => `${platform} ${name}`;
  return {
    isOn: (platform: string, name: string): boolean => on.has(key(platform, name)),
    set(platform: string, name: string, value: boolean): void {
      if (value) on.add(key(platform, name));
      else on.delete(key(platform, name));
    },
    clear(platform?: string): void {
      on = new Set(platform === undefined ? [] : [...on].filter((name) => !name.startsWith(`${platform} `)));
    },
  };
}

export type Switches = ReturnType<typeof createSwitches>;
