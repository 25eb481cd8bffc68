import { Screen } from '../../shell/screen.tsx'

export const NewTaskScreen = () => <Screen title="New task">{null}</Screen>
