pub(crate) fn build(_: &crate::workspace::Workspace) -> anyhow::Result<()> {
    Ok(())
}
