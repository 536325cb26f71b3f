import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PageLinks } from './side-bar.tsx';

/** The page menu for screens without the side bar. */
export function MenuButton() {
  const [isOpen, menu] = useDisclosure();
  return (
    <>
      <Burger
        hiddenFrom="md"
        size="sm"
        opened={isOpen}
        onClick={menu.toggle}
        aria-label="Menu"
        aria-expanded={isOpen}
      />
      <Drawer opened={isOpen} onClose={menu.close} title="Crier" size={280}>
        <PageLinks onChoose={menu.close} />
      </Drawer>
    </>
  );
}
