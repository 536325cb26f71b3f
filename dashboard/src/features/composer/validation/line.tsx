import { Collapse, Group, List, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconAlertTriangle,
  IconChevronDown,
  IconChevronUp,
  IconCircleCheck,
  IconInfoCircle,
} from '@tabler/icons-react';
import { AnchorLink } from '../../../components/links.tsx';
import { platformName } from '../../../lib/platform-name.ts';
import classes from '../composer.module.css';
import type { Issue } from './issues.ts';
import type { Validation } from './use-validation.ts';

/** Validation issues in one line that expands into a list. */
export function ValidationLine({
  hasChannels,
  hasText,
  validation,
  unhealthy,
  isUploading,
}: {
  hasChannels: boolean;
  hasText: boolean;
  validation: Validation;
  isUploading: boolean;
  /** The number of selected channels that can't publish. */
  unhealthy: number;
}) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const issues = [...validation.errors, ...validation.warnings];
  const { icon: Icon, color, words } = summaryOf({ hasChannels, hasText }, validation, unhealthy, isUploading);
  if (issues.length === 0) {
    return (
      <Group gap={6} role="status" wrap="nowrap" align="flex-start">
        <Icon size={18} aria-hidden color={color} className={classes.icon} />
        <Text size="sm">{words}</Text>
      </Group>
    );
  }
  const Chevron = isOpen ? IconChevronDown : IconChevronUp;
  return (
    <div>
      <div role="status">
        <UnstyledButton onClick={toggle} aria-expanded={isOpen}>
          <Group gap={6} wrap="nowrap" align="flex-start">
            <Icon size={18} aria-hidden color={color} className={classes.icon} />
            <Text size="sm">{words}</Text>
            <Chevron size={16} aria-hidden className={classes.beside} />
          </Group>
        </UnstyledButton>
      </div>
      <Collapse expanded={isOpen && issues.length > 0}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard access. */}
        <div className={classes.issues} tabIndex={0}>
          <List size="sm" mt="xs" spacing={4}>
            {issues.map((issue, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same issue.
              <List.Item key={index}>
                {textOf(issue)}{' '}
                {issue.postGroupId && (
                  <AnchorLink to="/posts/$postGroupId" params={{ postGroupId: issue.postGroupId }} size="sm">
                    View that post
                  </AnchorLink>
                )}
                {issue.suggestions?.[0] && (
                  <Text size="sm" c="dimmed">
                    {issue.suggestions[0]}
                  </Text>
                )}
              </List.Item>
            ))}
          </List>
        </div>
      </Collapse>
    </div>
  );
}

const [red, orange, green, gray] = ['red', 'orange', 'green', 'gray'].map((name) => `var(--mantine-color-${name}-6)`);

function summaryOf(
  { hasChannels, hasText }: { hasChannels: boolean; hasText: boolean },
  { errors, warnings, state }: Validation,
  unhealthy: number,
  isUploading: boolean,
) {
  const [error, ...otherErrors] = errors;
  const [warning, ...otherWarnings] = warnings;
  const plain = (words: string) => ({ icon: IconInfoCircle, color: gray, words });
  if (!hasChannels) return plain('Choose where to post.');
  if (!hasText) return plain('Write your post.');
  if (state === 'checking' || state === 'none') return plain('Checking…');
  if (state === 'failed') return plain('Not checked: no connection to Crier.');
  if (error)
    return { icon: IconAlertTriangle, color: red, words: withMore(error, otherErrors.length + warnings.length) };
  if (warning) return { icon: IconInfoCircle, color: orange, words: withMore(warning, otherWarnings.length) };
  if (isUploading) return plain('A file isn’t uploaded yet.');
  if (unhealthy > 0) {
    const words = `Ready, but ${unhealthy === 1 ? 'one selected channel' : `${unhealthy} selected channels`} can’t publish.`;
    return { icon: IconAlertTriangle, color: orange, words };
  }
  return { icon: IconCircleCheck, color: green, words: 'Ready for all selected channels.' };
}

const withMore = (issue: Issue, more: number) => (more > 0 ? `${textOf(issue)} (and ${more} more)` : textOf(issue));

/** Most messages of the service already name the network. */
function textOf({ platform, message }: Issue): string {
  const name = platformName(platform);
  return platform === '' || message.includes(name) ? message : `${name}: ${message}`;
}
