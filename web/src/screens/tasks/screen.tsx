import { Screen } from '../../shell/screen.tsx'

export const AllTasksScreen = () => <Screen title="All tasks">{null}</Screen>
