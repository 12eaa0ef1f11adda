import UsherCommand

UsherProgram.main()
