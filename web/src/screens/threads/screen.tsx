import { Screen } from '../../shell/screen.tsx'

export const ThreadsScreen = () => <Screen title="Threads">{null}</Screen>
