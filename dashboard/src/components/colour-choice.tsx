import { CheckIcon, ColorSwatch, Group, UnstyledButton } from '@mantine/core';

/** One of Mantine's colours, each named for screen readers. */
export function ColourChoice<Colour extends string>({
  label,
  colours,
  value,
  onChange,
}: {
  label: string;
  colours: readonly Colour[];
  value: Colour | undefined;
  onChange: (colour: Colour) => void;
}) {
  return (
    <Group gap="xs" role="radiogroup" aria-label={label}>
      {colours.map((each) => (
        <UnstyledButton
          key={each}
          role="radio"
          aria-checked={each === value}
          aria-label={each}
          title={each}
          onClick={() => onChange(each)}
        >
          <ColorSwatch color={`var(--mantine-color-${each}-filled)`} size={28} withShadow={false} c="white">
            {each === value && <CheckIcon size={12} />}
          </ColorSwatch>
        </UnstyledButton>
      ))}
    </Group>
  );
}
